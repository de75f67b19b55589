package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.SimulatedFiles.Content;
import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How an attempt finds out what the store holds: it lists the directories, reads their manifests
 * one after the other from the oldest on, and lists again, until no directory appeared meanwhile.
 */
final class SimulatedScan {
  /** The result; {@code files} is the last listing. */
  record Found(Map<CheckpointId, CheckpointManifest> manifests, Set<String> files) {
    Map<CheckpointId, Ancestry> ancestries() {
      Map<CheckpointId, Ancestry> ancestries = new TreeMap<>();
      manifests.forEach((id, manifest) -> ancestries.put(id, manifest.ancestry()));
      return ancestries;
    }

    long highestEpoch() {
      return Math.max(
          Paths.highestEpoch(files),
          Paths.ids(files).stream().mapToLong(CheckpointId::epoch).max().orElse(0));
    }
  }

  private final SimulatedProcess process;
  private final Rules rules;
  private final Consumer<Optional<Found>> then;
  private final Map<CheckpointId, CheckpointManifest> manifests = new TreeMap<>();

  private SimulatedScan(SimulatedProcess process, Rules rules, Consumer<Optional<Found>> then) {
    this.process = process;
    this.rules = rules;
    this.then = then;
  }

  /** Calls {@code then} with what the store holds, or with nothing if it could not be read. */
  static void start(SimulatedProcess process, Rules rules, Consumer<Optional<Found>> then) {
    SimulatedScan scan = new SimulatedScan(process, rules, then);
    process.list("", reply -> scan.listed(reply));
  }

  private void listed(Reply reply) {
    if (reply instanceof Reply.Names names) {
      manifests.clear();
      read(new ArrayList<>(Paths.ids(names.names())), names.names());
    } else {
      then.accept(Optional.empty());
    }
  }

  private void read(List<CheckpointId> left, Set<String> files) {
    if (left.isEmpty()) {
      finish(files);
      return;
    }
    CheckpointId id = left.get(0);
    process.read(
        Paths.manifest(id),
        reply -> {
          if (reply instanceof Reply.Lost) {
            then.accept(Optional.empty());
            return;
          }
          if (reply instanceof Reply.Found found
              && found.content() instanceof Content.Manifest manifest) {
            manifests.put(id, manifest.manifest());
          }
          read(left.subList(1, left.size()), files);
        });
  }

  private void finish(Set<String> before) {
    if (rules.breaks(Rules.Mutation.SCANS_ONCE)) {
      then.accept(Optional.of(new Found(Map.copyOf(manifests), before)));
      return;
    }
    process.list(
        "",
        reply -> {
          if (!(reply instanceof Reply.Names now)) {
            then.accept(Optional.empty());
            return;
          }
          Set<CheckpointId> appeared = new TreeSet<>(Paths.ids(now.names()));
          appeared.removeAll(Paths.ids(before));
          if (appeared.isEmpty()) {
            then.accept(Optional.of(new Found(Map.copyOf(manifests), now.names())));
          } else {
            listed(now);
          }
        });
  }
}
