package io.cairn.flush.restore;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The copy of one source in a {@link CopyChain}, which opens it at its first use. */
final class ChainLink {
  final CopySource source;
  final CopyHealth health;
  @Nullable Copy copy;

  /** Whether the source has no such copy. */
  boolean absent;

  ChainLink(CopySource source, CopyHealth health) {
    this.source = source;
    this.health = health;
  }

  /** Notes that a chunk cannot be read here. */
  void refuse(int number, IOException failure) {
    health.refuseChunk(number, failure.toString());
    health.note(failure);
  }

  /** Notes that a chunk is damaged here. */
  void refuse(int number, String damage) {
    String where = copy == null ? source.describe() : copy.describe();
    health.refuseChunk(number, where + ": " + damage);
  }
}
