package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.core.protocol.Rules.Mutation;
import io.cairn.core.protocol.SimulatedFiles.Content;
import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Retention, and the sweep of what older epochs left: keeps the newest two that are alive and what
 * they need. Of what is to go, manifests and temporary manifests are deleted until a listing shows
 * none, and only then the containers. It goes from the newest to the oldest, and ends where
 * something cannot be deleted: what is older may be needed by that.
 */
final class SimulatedSweep {
  private static final int KEEP = 2;
  private static final int ROUNDS = 4;

  private final SimulatedProcess process;
  private final Rules rules;
  private final long epoch;
  private final Runnable then;
  private final Set<String> needed = new HashSet<>();

  private SimulatedSweep(SimulatedProcess process, Rules rules, long epoch, Runnable then) {
    this.process = process;
    this.rules = rules;
    this.epoch = epoch;
    this.then = then;
  }

  /** Sweeps for an attempt that holds {@code epoch} and has sealed something in it. */
  static void start(SimulatedProcess process, Rules rules, long epoch, Runnable then) {
    SimulatedSweep sweep = new SimulatedSweep(process, rules, epoch, then);
    SimulatedScan.start(process, rules, sweep::found);
  }

  private void found(Optional<SimulatedScan.Found> scanned) {
    boolean blind = rules.breaks(Mutation.SWEEPS_NEWER_EPOCHS);
    if (scanned.isEmpty()
        || (scanned.get().highestEpoch() > epoch && !blind)
        || scanned.get().manifests().keySet().stream().noneMatch(id -> id.epoch() == epoch)) {
      then.run();
      return;
    }
    SimulatedScan.Found found = scanned.get();
    List<CheckpointId> kept =
        rules.alive(found.ancestries()).stream()
            .filter(id -> !blind || id.epoch() == epoch)
            .limit(KEEP)
            .toList();
    List<CheckpointId> doomed = new ArrayList<>(Paths.ids(found.files()).descendingSet());
    doomed.removeAll(kept);
    CheckpointId oldest = kept.get(kept.size() - 1);
    Predicate<CheckpointId> isOldOfOurs =
        id -> found.manifests().containsKey(id) && id.compareTo(oldest) < 0;
    doomed.removeIf(id -> id.epoch() > epoch && !blind);
    doomed.removeIf(id -> id.epoch() == epoch && !isOldOfOurs.test(id));
    List<String> containers =
        found.files().stream()
            .filter(Paths::isContainer)
            .filter(path -> Paths.idOf(path).filter(kept::contains).isPresent())
            .sorted()
            .toList();
    readNeeds(containers, () -> delete(doomed));
  }

  private void readNeeds(List<String> containers, Runnable next) {
    if (containers.isEmpty() || rules.breaks(Mutation.FORGETS_NEEDS)) {
      next.run();
      return;
    }
    process.read(
        containers.get(0),
        reply -> {
          if (reply instanceof Reply.Found found
              && found.content() instanceof Content.Container container) {
            needed.addAll(container.needs());
            readNeeds(containers.subList(1, containers.size()), next);
          } else {
            then.run();
          }
        });
  }

  private void delete(List<CheckpointId> doomed) {
    if (doomed.isEmpty()) {
      then.run();
      return;
    }
    CheckpointId id = doomed.get(0);
    Runnable next = () -> delete(doomed.subList(1, doomed.size()));
    if (rules.breaks(Mutation.SWEEPS_CONTAINERS_FIRST)) {
      containers(id, () -> withdraw(id, ROUNDS, next));
    } else {
      withdraw(id, ROUNDS, () -> containers(id, next));
    }
  }

  /** Deletes what is or may become a manifest, until a listing shows none. */
  private void withdraw(CheckpointId id, int rounds, Runnable done) {
    process.list(
        id.directory(),
        reply -> {
          if (!(reply instanceof Reply.Names names) || rounds == 0) {
            then.run();
            return;
          }
          List<String> found =
              names.names().stream().filter(path -> !Paths.isContainer(path)).sorted().toList();
          if (found.isEmpty()) {
            done.run();
          } else {
            deleteAll(found, () -> withdraw(id, rounds - 1, done));
          }
        });
  }

  private void containers(CheckpointId id, Runnable done) {
    process.list(
        id.directory(),
        reply ->
            deleteAll(
                SimulatedProcess.names(reply).stream()
                    .filter(Paths::isContainer)
                    .filter(path -> !needed.contains(path))
                    .sorted()
                    .toList(),
                done));
  }

  private void deleteAll(List<String> paths, Runnable done) {
    if (paths.isEmpty()) {
      done.run();
      return;
    }
    process.delete(
        paths.get(0),
        reply -> {
          if (reply instanceof Reply.Lost) {
            then.run();
          } else {
            deleteAll(paths.subList(1, paths.size()), done);
          }
        });
  }
}
