package io.cairn.engine.runtime;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Says that nobody sees the log, once per process: without a provider SLF4J drops the warnings and
 * errors of a training whose checkpoints fail. Thread-safe.
 */
final class UnseenLog {
  private static final UnseenLog OF_PROCESS = new UnseenLog();

  private final AtomicBoolean said = new AtomicBoolean();

  /** Looks at the log of this process, and says it on standard error. */
  static void report() {
    OF_PROCESS.report(LoggerFactory.getILoggerFactory(), System.err);
  }

  /** As {@link #report()}, of this log. */
  void report(ILoggerFactory log, PrintStream err) {
    if (log instanceof NOPLoggerFactory && said.compareAndSet(false, true)) {
      err.println(
          "cairn: no SLF4J provider is on the class path, so failed checkpoints are reported"
              + " nowhere. Add one, such as org.slf4j:slf4j-simple");
    }
  }
}
