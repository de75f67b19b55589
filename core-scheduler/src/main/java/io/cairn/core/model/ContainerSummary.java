package io.cairn.core.model;

import io.cairn.Digest;
import io.cairn.internal.PathSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The entry of one container in a manifest. It suffices to find the container and to verify its
 * index, which holds the checksum of every chunk.
 *
 * @param file name within the checkpoint's directory
 * @param bytes length of the file
 * @param indexDigest digest of its index
 * @param ranks whose chunks it holds, rising
 * @param holders of chunks that older checkpoints have; the index names them by their numbers here,
 *     from 1 on
 * @param fingerprint of the program that wrote it; empty in containers of older versions, and in
 *     those that other holders wrote of a rank
 */
public record ContainerSummary(
    String file,
    long bytes,
    Digest indexDigest,
    List<Integer> ranks,
    List<Holder> holders,
    Fingerprint fingerprint) {
  /** The most holders of one container. */
  public static final int MAX_HOLDERS = 255;

  /** Checks the name, the length and the number of holders, of which none appears twice. */
  public ContainerSummary {
    PathSegment.require("container", file);
    ranks = List.copyOf(ranks);
    holders = List.copyOf(holders);
    if (holders.size() > MAX_HOLDERS || Set.copyOf(holders).size() < holders.size()) {
      throw new IllegalArgumentException(
          "container " + file + " leans on " + holders.size() + " holders, or on one twice");
    }
    if (bytes < 0 || ranks.isEmpty()) {
      throw new IllegalArgumentException(
          "container " + file + " of " + bytes + " bytes for ranks " + ranks);
    }
  }

  /** A container without holders and fingerprint. */
  public ContainerSummary(String file, long bytes, Digest indexDigest, List<Integer> ranks) {
    this(file, bytes, indexDigest, ranks, List.of(), Fingerprint.NONE);
  }

  /** The program that wrote these containers of one rank; empty if that is not known. */
  public static Fingerprint program(List<ContainerSummary> containers) {
    return containers.stream()
        .map(ContainerSummary::fingerprint)
        .filter(program -> !program.isEmpty())
        .findFirst()
        .orElse(Fingerprint.NONE);
  }

  /** The same container, which leans on one more holder. */
  public ContainerSummary leaningOn(Holder holder) {
    List<Holder> more = new ArrayList<>(holders);
    more.add(holder);
    return new ContainerSummary(file, bytes, indexDigest, ranks, more, fingerprint);
  }

  /** The same container, written by this program. */
  public ContainerSummary writtenBy(Fingerprint program) {
    return new ContainerSummary(file, bytes, indexDigest, ranks, holders, program);
  }
}
