package io.cairn.core.model;

import java.util.List;

/**
 * The entry of one container in a manifest. It suffices to find the container and to verify its
 * index, which holds the checksum of every chunk.
 *
 * @param file name within the checkpoint's directory
 * @param bytes length of the file
 * @param indexDigest digest of its index
 * @param ranks whose chunks it holds, rising
 * @param fingerprint of the program that wrote it; empty in containers of older versions, and in
 *     those that other holders wrote of a rank
 */
public record ContainerSummary(
    String file, long bytes, Digest indexDigest, List<Integer> ranks, Fingerprint fingerprint) {
  /** Checks the name and the length. */
  public ContainerSummary {
    PathSegment.require("container", file);
    ranks = List.copyOf(ranks);
    if (bytes < 0 || ranks.isEmpty()) {
      throw new IllegalArgumentException(
          "container " + file + " of " + bytes + " bytes for ranks " + ranks);
    }
  }

  /** A container without a fingerprint. */
  public ContainerSummary(String file, long bytes, Digest indexDigest, List<Integer> ranks) {
    this(file, bytes, indexDigest, ranks, Fingerprint.NONE);
  }

  /** The program that wrote these containers of one rank; empty if that is not known. */
  public static Fingerprint program(List<ContainerSummary> containers) {
    return containers.stream()
        .map(ContainerSummary::fingerprint)
        .filter(program -> !program.isEmpty())
        .findFirst()
        .orElse(Fingerprint.NONE);
  }

  /** The same container, written by this program. */
  public ContainerSummary writtenBy(Fingerprint program) {
    return new ContainerSummary(file, bytes, indexDigest, ranks, program);
  }
}
