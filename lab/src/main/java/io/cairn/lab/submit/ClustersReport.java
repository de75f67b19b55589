package io.cairn.lab.submit;

import java.util.List;

/**
 * The findings of {@code cairn prove clusters}.
 *
 * @param machine that everything ran on
 * @param date of the run
 * @param artifact options that brought Cairn to the jobs
 * @param otherSecretRefused whether the standalone master refused a job with another secret
 * @param results a training each
 */
record ClustersReport(
    String machine,
    String date,
    List<String> artifact,
    boolean otherSecretRefused,
    List<ClusterResult> results) {
  ClustersReport {
    artifact = List.copyOf(artifact);
    results = List.copyOf(results);
  }

  /** Whether everything holds. */
  boolean passed() {
    return otherSecretRefused && results.stream().allMatch(ClusterResult::passed);
  }
}
