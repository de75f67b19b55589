package io.cairn.core.protocol;

import io.cairn.core.model.CheckpointManifest;

/** What a coordinator asks its carrier to do. */
public sealed interface CoordinatorAction {
  /** Take the group's next epoch; answer with EpochTaken or EpochRefused. */
  record ClaimEpoch() implements CoordinatorAction {}

  /** Hand a message to one incarnation of a rank; dropped if that one is gone. */
  record Tell(int rank, String incarnation, CoordinatorMessage message)
      implements CoordinatorAction {}

  /**
   * Commit this manifest at STORE; answer with CommitEnded. The nonce is the carrier's to replace.
   */
  record CommitManifest(CheckpointManifest manifest) implements CoordinatorAction {}
}
