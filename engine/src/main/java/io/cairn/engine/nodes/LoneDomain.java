package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether all executors are in one failure domain, so that PEER can keep nothing. One process of a
 * group says so, that of rank 0, and once: it is no news with the next checkpoint. Thread-safe.
 */
final class LoneDomain {
  private final AtomicBoolean isTold = new AtomicBoolean();

  /** The reason, for people. */
  static String reason(OtherNodes others, CheckpointManifest part) {
    return String.format(
        Locale.ROOT,
        "PEER keeps nothing of %s: all executors that serve their nodes, %d, are in the failure"
            + " domain %s. peer needs executors on two machines or more; if they are,"
            + " correct peer.domain",
        part.id().group(),
        1 + others.processes().size(),
        others.self().domain());
  }

  /** The warning to log; empty if it was logged, or is another process's to log. */
  Optional<String> found(OtherNodes others, CheckpointManifest part) {
    return part.ranks().contains(0) && isTold.compareAndSet(false, true)
        ? Optional.of(reason(others, part) + ". Until then its checkpoints are not due at PEER")
        : Optional.empty();
  }

  /** The news to log that another domain keeps copies; empty unless the opposite was logged. */
  Optional<String> ended() {
    return isTold.compareAndSet(true, false)
        ? Optional.of("Another failure domain serves its nodes now, so PEER keeps copies")
        : Optional.empty();
  }
}
