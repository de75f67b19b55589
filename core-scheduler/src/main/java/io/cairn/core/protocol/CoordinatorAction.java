package io.cairn.core.protocol;

import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import java.util.Optional;

/** An action that a coordinator asks its carrier to carry out. */
public sealed interface CoordinatorAction {
  /**
   * Take the next epoch of the group. The carrier answers with {@link CoordinatorEvent.EpochTaken}
   * or {@link CoordinatorEvent.EpochRefused}.
   */
  record ClaimEpoch() implements CoordinatorAction {}

  /** Send a message to one incarnation of a rank; drop it if that incarnation is gone. */
  record Send(int rank, String incarnation, CoordinatorMessage message)
      implements CoordinatorAction {}

  /** Send {@link CoordinatorEvent.Reminded} after this time. */
  record Remind(long afterNanos) implements CoordinatorAction {}

  /** Report to people that ranks of the group wait for others. */
  record ReportWait(String reason) implements CoordinatorAction {}

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

  /** Mark that the group's training ended in order with this checkpoint, which is at STORE. */
  record MarkEnd(CheckpointId last) implements CoordinatorAction {}
}
