package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Deletes checkpoints in two steps: first all their manifests, then the files that no other
 * checkpoint leans on. A failed delete becomes a problem, for people. Not thread-safe.
 */
final class Withdrawal {
  /** Rounds of deleting manifests that reappear meanwhile. */
  private static final int ROUNDS = 4;

  private final CheckpointStore store;
  private final List<String> problems = new ArrayList<>();

  Withdrawal(CheckpointStore store) {
    this.store = store;
  }

  /** The failed deletes so far. */
  List<String> problems() {
    return problems;
  }

  /** Withdraws checkpoints; returns the files that each still has. */
  SortedMap<CheckpointId, Set<String>> withdraw(Collection<CheckpointId> doomed) {
    SortedMap<CheckpointId, Set<String>> withdrawn = new TreeMap<>();
    for (CheckpointId id : doomed) {
      try {
        withdraw(id)
            .ifPresentOrElse(
                left -> withdrawn.put(id, left),
                () -> problems.add(id + ": its manifests come back while they are deleted"));
      } catch (IOException e) {
        problems.add(problem(id, e));
      }
    }
    return withdrawn;
  }

  /**
   * Deletes manifests, temporary manifests and certificates until a listing shows none.
   *
   * @return the other files; empty if manifests come back
   */
  private Optional<Set<String>> withdraw(CheckpointId id) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Set<String> others = new HashSet<>();
      Set<String> names = new HashSet<>();
      for (StoreEntry entry : store.list(StoreNames.checkpoint(id))) {
        boolean manifest =
            StoreNames.isManifest(entry.name())
                || StoreNames.isTemporaryManifest(entry.name())
                || entry.name().equals(StoreNames.CERTIFIED);
        (manifest ? names : others).add(entry.name());
      }
      if (names.isEmpty()) {
        return Optional.of(others);
      }
      for (String name : names) {
        store.delete(StoreNames.file(id, name));
      }
    }
    return Optional.empty();
  }

  /** The bytes of a checkpoint's files that no other one leans on; deletes nothing. */
  long freed(CheckpointId id, Leaned leaned) throws IOException {
    Set<String> needed = leaned.in(id);
    boolean doubt = leaned.isInDoubt(id);
    long freed = 0;
    for (StoreEntry file : store.list(StoreNames.checkpoint(id))) {
      boolean stays =
          (doubt && !StoreNames.isManifest(file.name()))
              || needed.stream().anyMatch(name -> isOrWas(file.name(), name));
      freed += stays ? 0 : file.bytes();
    }
    return freed;
  }

  /** Deletes what no other one leans on; returns those of which nothing is left. */
  List<CheckpointId> delete(SortedMap<CheckpointId, Set<String>> withdrawn, Leaned leaned) {
    List<CheckpointId> deleted = new ArrayList<>();
    withdrawn.forEach(
        (id, files) -> {
          try {
            if (delete(id, files, leaned)) {
              deleted.add(id);
            }
          } catch (IOException e) {
            problems.add(problem(id, e));
          }
        });
    return deleted;
  }

  /** Deletes what no checkpoint leans on; returns whether that was everything. */
  private boolean delete(CheckpointId id, Set<String> files, Leaned leaned) throws IOException {
    if (leaned.isInDoubt(id)) {
      return false;
    }
    Set<String> needed = leaned.in(id);
    if (needed.isEmpty()) {
      store.deleteDirectory(StoreNames.checkpoint(id));
      return true;
    }
    for (String file : files) {
      if (needed.stream().noneMatch(name -> isOrWas(file, name))) {
        store.delete(StoreNames.file(id, file));
      }
    }
    return false;
  }

  /** A repair sets a file aside before a good one has its name. */
  private static boolean isOrWas(String file, String needed) {
    return file.equals(needed) || file.equals(StoreNames.quarantined(needed));
  }

  private String problem(CheckpointId id, IOException e) {
    return id + " in " + store.describe() + ": " + e.getMessage();
  }
}
