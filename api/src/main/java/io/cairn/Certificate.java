package io.cairn;

import io.cairn.internal.PathSegment;
import io.cairn.internal.PrintableText;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says that a replay from its predecessor ended in the bytes of a checkpoint. Immutable.
 *
 * @param id the checkpoint
 * @param manifest the digest of its manifest at STORE
 * @param predecessor where the replay began; empty for the start of the training
 * @param regions the SHA-256 of each region, by name
 * @param facts what the bits of the replay depended on, such as the number of OpenMP threads: 1 to
 *     128 printable ASCII characters by name
 */
public record Certificate(
    CheckpointId id,
    Digest manifest,
    Optional<Predecessor> predecessor,
    SortedMap<String, Digest> regions,
    SortedMap<String, String> facts) {

  /**
   * Where a replay began.
   *
   * @param id of the same group as the certified checkpoint, and older
   * @param manifest the digest of its manifest
   * @param certified whether it had a certificate by then
   */
  public record Predecessor(CheckpointId id, Digest manifest, boolean certified) {}

  /**
   * Copies the maps.
   *
   * @throws IllegalArgumentException if a name or a fact is not legal, the predecessor is of
   *     another group or not older, or there is no region
   */
  public Certificate {
    regions = Collections.unmodifiableSortedMap(new TreeMap<>(regions));
    regions.keySet().forEach(name -> PathSegment.require("region", name));
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    facts.forEach(
        (name, value) -> {
          PathSegment.require("fact", name);
          PrintableText.require(name, value);
        });
    if (regions.isEmpty()) {
      throw new IllegalArgumentException("a certificate of " + id + " without regions");
    }
    CheckpointId certified = id;
    predecessor.ifPresent(
        from -> {
          if (!from.id().group().equals(certified.group()) || from.id().compareTo(certified) >= 0) {
            throw new IllegalArgumentException(
                from.id() + " cannot be the predecessor of " + certified);
          }
        });
  }
}
