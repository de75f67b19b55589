package io.cairn.lab.cluster;

/**
 * Ends a thread of a process that was killed. An error, since most handlers of failures take
 * exceptions alone. Those that take errors, too, only report to a process that is gone.
 */
final class KilledError extends Error {
  private static final long serialVersionUID = 1;

  KilledError(String process) {
    super(process + " was killed", null, false, false);
  }
}
