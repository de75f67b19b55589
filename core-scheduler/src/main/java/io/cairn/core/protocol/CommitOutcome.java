package io.cairn.core.protocol;

/** The outcome of an attempt to publish a manifest. Unknown is not failed. */
public sealed interface CommitOutcome {
  /** The manifest of this attempt was read back, and survives a crash of the store. */
  record Committed() implements CommitOutcome {}

  /**
   * The manifest of this attempt is not published and never will be, since its temporary name is
   * proven gone. The manifest of an earlier attempt at the same checkpoint may be published; so a
   * checkpoint is committed once only.
   */
  record Failed(String reason) implements CommitOutcome {}

  /** The manifest may be published, now or later. Nothing was deleted; a later reader decides. */
  record Unknown(String reason) implements CommitOutcome {}
}
