package io.cairn.lab.submit;

import java.util.List;

/**
 * The findings of {@code cairn-lab prove clusters}.
 *
 * @param machine that everything ran on
 * @param date of the run
 * @param artifact options that brought Cairn to the jobs
 * @param otherSecretRefused whether the standalone master refused a job with another secret
 * @param results a training each
 * @param classPaths a job each, with jars of its user
 */
record ClustersReport(
    String machine,
    String date,
    List<String> artifact,
    boolean otherSecretRefused,
    List<ClusterResult> results,
    List<ClassPathResult> classPaths) {
  ClustersReport {
    artifact = List.copyOf(artifact);
    results = List.copyOf(results);
    classPaths = List.copyOf(classPaths);
  }

  /** Whether everything holds. */
  boolean passed() {
    return otherSecretRefused
        && results.stream().allMatch(ClusterResult::passed)
        && classPaths.stream().allMatch(ClassPathResult::passed);
  }
}
