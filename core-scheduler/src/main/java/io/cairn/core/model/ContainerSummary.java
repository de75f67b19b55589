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
 */
public record ContainerSummary(String file, long bytes, Digest indexDigest, List<Integer> ranks) {
  /** Checks the name and the length. */
  public ContainerSummary {
    PathSegment.require("container", file);
    ranks = List.copyOf(ranks);
    if (bytes < 0 || ranks.isEmpty()) {
      throw new IllegalArgumentException(
          "container " + file + " of " + bytes + " bytes for ranks " + ranks);
    }
  }
}
