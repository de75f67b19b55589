package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The programs that wrote the ranks of one checkpoint, as far as manifests say. Immutable.
 *
 * @param byRank the programs
 * @param attempts manifests that could not be read
 * @param retryable whether a manifest could not be read without proof of damage
 * @param level the farthest one that a manifest was read from; that of the nearest source, if none
 *     was
 * @param source the location of that manifest, for people
 */
public record SavedPrograms(
    SortedMap<Integer, Fingerprint> byRank,
    List<Attempt> attempts,
    boolean retryable,
    Level level,
    String source) {
  /** Copies both. */
  public SavedPrograms {
    byRank = Collections.unmodifiableSortedMap(new TreeMap<>(byRank));
    attempts = List.copyOf(attempts);
  }

  /** Whether every rank of a group of this size, and no other, is known. */
  public boolean isOfAll(int size) {
    return byRank.size() == size && byRank.lastKey() == size - 1 && byRank.firstKey() == 0;
  }

  /** Asks the nearest sources first, until all ranks are known. */
  static SavedPrograms of(List<CopySource> nearestFirst, CheckpointId id, int size) {
    NavigableMap<Integer, Fingerprint> byRank = new TreeMap<>();
    List<Attempt> attempts = new ArrayList<>();
    boolean retryable = false;
    CopySource farthest = nearestFirst.get(0);
    for (CopySource source : nearestFirst) {
      try {
        if (byRank.size() < size) {
          int before = byRank.size();
          source.programs(id).forEach(byRank::putIfAbsent);
          farthest = byRank.size() > before ? source : farthest;
        }
      } catch (IOException e) {
        attempts.add(new Attempt(id, source.level(), String.valueOf(e.getMessage())));
        retryable |= !CopyHealth.isDamage(e);
      }
    }
    return new SavedPrograms(byRank, attempts, retryable, farthest.level(), farthest.describe());
  }
}
