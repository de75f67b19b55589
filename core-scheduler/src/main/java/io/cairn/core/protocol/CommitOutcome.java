package io.cairn.core.protocol;

/** The outcome of an attempt to publish a manifest. Unknown is not failed. */
public sealed interface CommitOutcome {
  /** The manifest of this attempt was read back, and survives a crash of the store. */
  record Committed() implements CommitOutcome {}

  /**
   * The manifest of this attempt is not published and never will be, since its temporary name is
   * proven gone. The manifest of another attempt at the same checkpoint may be published.
   */
  record Failed(String reason) implements CommitOutcome {}

  /** The manifest may be published, now or later. Nothing was deleted; a later reader decides. */
  record Unknown(String reason) implements CommitOutcome {}
}
