package io.cairn.lab.cluster;

/**
 * Ends a thread of a process that was killed. An error, so that no handler of failures takes it.
 */
final class KilledError extends Error {
  private static final long serialVersionUID = 1;

  KilledError(String process) {
    super(process + " was killed", null, false, false);
  }
}
