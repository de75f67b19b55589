package io.cairn.lab.study.cluster;

/**
 * Ends a thread of a process that was killed. An error, since most handlers of failures take
 * exceptions alone.
 */
final class KilledError extends Error {
  private static final long serialVersionUID = 1;

  KilledError(String process) {
    super(process + " was killed", null, false, false);
  }
}
