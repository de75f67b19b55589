package io.cairn.core.protocol;

import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Digest;

/**
 * What a coordinator reacts to: its members, and the answers to what it asked its carrier to do.
 */
public sealed interface CoordinatorEvent permits MemberMessage, CoordinatorEvent.FromCarrier {
  /** An answer of whoever carries the coordinator's actions out. */
  sealed interface FromCarrier extends CoordinatorEvent {}

  /** The epoch that was asked for. */
  record EpochTaken(long epoch) implements FromCarrier {}

  /** No epoch could be taken. */
  record EpochRefused(String reason) implements FromCarrier {}

  /**
   * A later epoch exists that this coordinator did not take: another application runs the job.
   *
   * @param holder who took it, as its file says
   */
  record Superseded(long newest, String holder) implements FromCarrier {}

  /**
   * What a search found.
   *
   * @param tookNanos of computing
   */
  record CadenceFound(CadenceSearch search, CadenceSearch.Found found, long tookNanos)
      implements FromCarrier {}

  /** How a commit ended, and the digest of its manifest. */
  record CommitEnded(CheckpointId id, Digest digest, CommitOutcome outcome)
      implements FromCarrier {}
}
