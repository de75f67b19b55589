package io.cairn.core.protocol;

/** How an attempt to publish a manifest ended. There are three, and the third is not the second. */
public sealed interface CommitOutcome {
  /** The manifest was read back and is ours. */
  record Committed() implements CommitOutcome {}

  /** It is not published and never will be: our temporary manifest is proven gone. */
  record Failed(String reason) implements CommitOutcome {}

  /** It may or may not be published, now or later. Nothing was deleted; a later reader decides. */
  record Unknown(String reason) implements CommitOutcome {}
}
