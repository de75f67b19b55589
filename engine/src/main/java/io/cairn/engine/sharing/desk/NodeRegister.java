package io.cairn.engine.sharing.desk;

import io.cairn.core.wire.NodeSite;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The processes that serve the checkpoints at their nodes. A process registers again and again, and
 * is forgotten when it falls silent. Thread-safe.
 */
public final class NodeRegister {
  /** The process that registered least recently is forgotten first. */
  static final int MOST_SITES = 10_000;

  /** After this the desk forgets a process, as one that serves its node, and as a holder. */
  static final Duration SILENCE = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private final Map<String, Registered> byProcess = new LinkedHashMap<>();

  private record Registered(NodeSite site, long nanos) {}

  /**
   * Nobody serves yet.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public NodeRegister(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Registers a process; all other processes, those of its own node included. */
  public synchronized List<NodeSite> serve(NodeSite site) {
    long now = nanoTime.getAsLong();
    byProcess.values().removeIf(known -> now - known.nanos() >= SILENCE.toNanos());
    byProcess.remove(site.process());
    byProcess.put(site.process(), new Registered(site, now));
    if (byProcess.size() > MOST_SITES) {
      byProcess.remove(byProcess.keySet().iterator().next());
    }
    return byProcess.values().stream()
        .map(Registered::site)
        .filter(other -> !other.process().equals(site.process()))
        .toList();
  }

  /** Forgets a process that has ended. */
  synchronized void gone(String process) {
    byProcess.remove(process);
  }
}
