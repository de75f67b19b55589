package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.CheckpointManifest;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An action that a coordinator asks its carrier to carry out. */
public sealed interface CoordinatorAction {
  /**
   * Take the next epoch of the group. The carrier answers with {@link CoordinatorEvent.EpochTaken}
   * or {@link CoordinatorEvent.EpochRefused}; it refuses a rank whose STORE is not its own.
   *
   * @param origins by rank; the epoch exceeds all of theirs
   */
  record ClaimEpoch(Map<Integer, Origin> origins) implements CoordinatorAction {
    /** Copies the map, which stays in the order of the ranks. */
    public ClaimEpoch {
      origins = Collections.unmodifiableSortedMap(new TreeMap<>(origins));
    }
  }

  /**
   * Find the group's birth at STORE. The carrier answers with {@link CoordinatorEvent.BirthFound}.
   */
  record FindBirth() implements CoordinatorAction {}

  /**
   * Take a later epoch in the place of one that has begun, unless STORE shows that another attempt
   * has one. The carrier answers with {@link CoordinatorEvent.LaterEpochTaken} or {@link
   * CoordinatorEvent.EpochStays}.
   *
   * @param instead the epoch that has begun
   * @param origins by rank; the later epoch exceeds all of theirs
   */
  record TakeLater(long instead, Map<Integer, Origin> origins) implements CoordinatorAction {
    /** Copies the map, which stays in the order of the ranks. */
    public TakeLater {
      origins = Collections.unmodifiableSortedMap(new TreeMap<>(origins));
    }
  }

  /**
   * Claim an epoch that began without a claim. The carrier answers with {@link
   * CoordinatorEvent.ClaimEnded}, or with {@link CoordinatorEvent.Superseded}.
   */
  record ClaimAgain(long epoch) implements CoordinatorAction {}

  /** Send a message to one incarnation of a rank; drop it if that incarnation is gone. */
  record Send(int rank, String incarnation, CoordinatorMessage message)
      implements CoordinatorAction {}

  /** Send {@link CoordinatorEvent.Reminded} after this time. */
  record Remind(long afterNanos) implements CoordinatorAction {}

  /** Send {@link CoordinatorEvent.LookAtWaits} after this time. */
  record LookAgain(long afterNanos) implements CoordinatorAction {}

  /** Report to people that ranks of the group wait for others, or that the group loses work. */
  record ReportTrouble(String reason) implements CoordinatorAction {}

  /**
   * Run this search on a thread other than the coordinator's. The carrier answers with {@link
   * CoordinatorEvent.CadenceFound}.
   */
  record SearchCadence(CadenceSearch search) implements CoordinatorAction {}

  /** Report predicted and achieved waste to people: a plan was adopted, or a pattern ended. */
  record ReportCadence(CadenceReport report, boolean adopted) implements CoordinatorAction {}

  /**
   * Commit this manifest at STORE. The carrier replaces the nonce, and answers with {@link
   * CoordinatorEvent.CommitEnded}.
   *
   * @param learned is to be kept with it, for {@link CoordinatorEvent.Remembered}
   */
  record CommitManifest(CheckpointManifest manifest, Optional<Learned> learned)
      implements CoordinatorAction {}

  /** Mark that the group has sealed a checkpoint above DEVICE, for {@link CoordinatorEvent}. */
  record MarkAnySealed() implements CoordinatorAction {}

  /** Note at STORE what the group sealed at NODE, for {@link CoordinatorEvent.NodeSealFound}. */
  record NoteNodeSeal(NodeSeal seal) implements CoordinatorAction {}

  /** Mark that the group's training ended in order with this checkpoint, which is at STORE. */
  record MarkEnd(CheckpointId last) implements CoordinatorAction {}
}
