package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.StoreInput;
import io.cairn.testkit.CrashingMedium;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Damages containers and manifests, and reports that to the judge. It leaves a group a good
 * checkpoint at STORE, since one that has none refuses to train.
 */
record Damage(Turns turns, Faults faults, TrueHistory ledger) {
  /** Of so many files, those of the newest checkpoints, one is struck: it is likely to be read. */
  private static final int NEWEST = 4;

  private record Place(CheckpointId id, String path) {}

  /** Damages a file at STORE, of a group that had none damaged there and keeps two or more. */
  void atStore(CrashingMedium store, GroupId group) {
    Set<CheckpointId> good = present(store, group);
    List<Place> places = places(store, group);
    places.removeIf(place -> good.contains(place.id()) && good.size() == 1);
    if (!good.isEmpty() && !ledger.isDamaged(group, Level.STORE)) {
      strike(store, places, Level.STORE);
    }
  }

  /** Damages a file at NODE. */
  void atNode(SimulatedMachine machine, CrashingMedium store, GroupId group) {
    if (!present(store, group).isEmpty()) {
      strike(machine.node(), places(machine.node(), group), Level.NODE);
    }
  }

  /** The good checkpoints at STORE that retention has not deleted. */
  private Set<CheckpointId> present(CrashingMedium store, GroupId group) {
    Set<CheckpointId> good = ledger.goodAtStore(group);
    good.retainAll(CheckpointFiles.published(store, group));
    return good;
  }

  private List<Place> places(CrashingMedium medium, GroupId group) {
    List<Place> places = new ArrayList<>();
    CheckpointFiles.of(medium, group)
        .forEach(
            (id, paths) ->
                paths.stream()
                    .filter(path -> counts(CheckpointFiles.name(path)))
                    .forEach(path -> places.add(new Place(id, path))));
    return places;
  }

  private static boolean counts(String name) {
    return StoreNames.isContainer(name) || StoreNames.isManifest(name);
  }

  private void strike(CrashingMedium medium, List<Place> places, Level level) {
    if (places.isEmpty()) {
      return;
    }
    SplittableRandom random = turns.random();
    Place place = places.get(random.nextInt(Math.max(0, places.size() - NEWEST), places.size()));
    boolean cut = random.nextBoolean();
    if (isEmpty(medium, place.path())) {
      return;
    }
    ledger.damaged(place.id(), level);
    faults.count("damaged file at " + level);
    turns.note(place.id().label(), "is damaged at " + level);
    if (cut) {
      medium.truncate(place.path(), random.nextInt(64));
    } else {
      medium.flipBit(place.path());
    }
  }

  /** Whether a file has no byte yet, or is out of reach. */
  private static boolean isEmpty(CrashingMedium medium, String path) {
    try (StoreInput file = new CrashingStore(medium, 0).open(path)) {
      return file.length() == 0;
    } catch (IOException e) {
      return true;
    }
  }
}
