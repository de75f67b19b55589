package io.cairn.engine.capture;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.engine.runtime.Membership;
import org.jspecify.annotations.Nullable;

/**
 * A rank's time in one epoch: captures that land late belong to the one they began in.
 *
 * @param base where the group went on from; null until it agreed
 */
record Stint(Membership membership, Tickets tickets, CoordinatorMessage.@Nullable Resume base) {
  Stint from(CoordinatorMessage.Resume agreed) {
    return new Stint(membership, tickets, agreed);
  }

  CoordinatorMessage.Resume agreed() {
    CoordinatorMessage.Resume known = base;
    if (known == null) {
      throw new IllegalStateException("captured before the group agreed where to go on from");
    }
    return known;
  }
}
