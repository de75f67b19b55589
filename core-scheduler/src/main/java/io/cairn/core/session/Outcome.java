package io.cairn.core.session;

import io.cairn.core.model.Level;

/** How a capture, or the way to one level, ended. */
public sealed interface Outcome {
  /** The regions were copied; the application may write them. */
  record Captured(long bytes) implements Outcome {}

  /** Every rank's data is held at the level; a failure that the level survives leads back here. */
  record Sealed(Level level) implements Outcome {}

  /** The group's cadence does not send this iteration to the level. */
  record NotDue(Level level) implements Outcome {}

  /** Left out for the whole group, for want of room or because a level below lags behind. */
  record Skipped(String reason) implements Outcome {}

  /** A later epoch of the group exists: this attempt is over, and nothing that it writes counts. */
  record Fenced(String reason) implements Outcome {}

  /** An error, or an unknown commit: the level may or may not hold it, and nothing was deleted. */
  record Failed(String reason) implements Outcome {}
}
