package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.Encoding;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The parts of one container's file that can be read, and the places where it breaks. Immutable.
 *
 * @param file as users find it
 * @param bytes length of the file
 * @param head content of the header; empty if that is damaged
 * @param index place of the index; empty if no whole one was found
 * @param regions of all ranks, in the order of writing; none without an index
 * @param breaks one for each damaged part, and one for each region with damaged chunks
 */
public record ContainerScan(
    String file,
    long bytes,
    Optional<Head> head,
    Optional<IndexPlace> index,
    List<RegionScan> regions,
    List<Break> breaks) {
  /** Copies the lists. */
  public ContainerScan {
    regions = List.copyOf(regions);
    breaks = List.copyOf(breaks);
  }

  /** Whether all that was looked at is as it was written. */
  public boolean isWhole() {
    return breaks.isEmpty();
  }

  /**
   * A header.
   *
   * @param groupSize ranks of the group
   * @param boot of the system that wrote the file; all zero if it had none
   * @param version of the container
   */
  public record Head(CheckpointId id, int groupSize, String boot, int version) {}

  /**
   * An index.
   *
   * @param offset in the file
   * @param digest of its bytes
   * @param searched whether it was found by its content, since the trailer is damaged or absent
   * @param holders the number of older containers that have some of the chunks
   */
  public record IndexPlace(long offset, int bytes, String digest, boolean searched, int holders) {}

  /**
   * One region of one rank.
   *
   * @param image shape and checksums
   * @param encodings of the chunks that this file or a holder has, and how many have each
   * @param storedBytes of the chunks in this file
   * @param here chunks in this file
   * @param leaned chunks in each holder, by its number
   * @param elsewhere chunks in other containers of the rank
   * @param badChunks those of this file and of holders that cannot be read, rising
   */
  public record RegionScan(
      int rank,
      RegionImage image,
      Map<Encoding, Integer> encodings,
      long storedBytes,
      int here,
      SortedMap<Integer, Integer> leaned,
      int elsewhere,
      List<Integer> badChunks) {
    /** Copies the collections. */
    public RegionScan {
      encodings = Map.copyOf(encodings);
      leaned = Collections.unmodifiableSortedMap(new TreeMap<>(leaned));
      badChunks = List.copyOf(badChunks);
    }
  }

  /**
   * A place that is not as it was written.
   *
   * @param file the damaged one, which may be a holder's
   * @param offset in bytes from its start
   */
  public record Break(String file, long offset, String reason) {
    @Override
    public String toString() {
      return file + ", offset " + offset + ": " + reason;
    }
  }
}
