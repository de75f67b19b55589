package io.cairn.core.protocol;

/** How an attempt to publish a manifest ended. There are three, and the third is not the second. */
public sealed interface CommitOutcome {
  /** The manifest was read back, is ours, and survives a crash of the store. */
  record Committed() implements CommitOutcome {}

  /**
   * This manifest is not published and never will be: its temporary name is proven gone. An earlier
   * attempt at the same checkpoint may be; so a checkpoint is committed once, never again.
   */
  record Failed(String reason) implements CommitOutcome {}

  /** It may or may not be published, now or later. Nothing was deleted; a later reader decides. */
  record Unknown(String reason) implements CommitOutcome {}
}
