package io.cairn.core.protocol;

import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.model.CheckpointManifest;

/** What a coordinator asks its carrier to do. */
public sealed interface CoordinatorAction {
  /** Take the group's next epoch; answer with EpochTaken or EpochRefused. */
  record ClaimEpoch() implements CoordinatorAction {}

  /** Hand a message to one incarnation of a rank; dropped if that one is gone. */
  record Send(int rank, String incarnation, CoordinatorMessage message)
      implements CoordinatorAction {}

  /** Run this search, off the coordinator's thread; answer with CadenceFound. */
  record SearchCadence(CadenceSearch search) implements CoordinatorAction {}

  /**
   * Report to people what the cadence promises and kept: a plan was adopted, or a pattern ended.
   */
  record ReportCadence(CadenceReport report, boolean adopted) implements CoordinatorAction {}

  /**
   * Commit this manifest at STORE; answer with CommitEnded. The nonce is the carrier's to replace.
   */
  record CommitManifest(CheckpointManifest manifest) implements CoordinatorAction {}
}
