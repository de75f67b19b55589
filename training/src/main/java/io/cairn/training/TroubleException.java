package io.cairn.training;

import org.jspecify.annotations.Nullable;

/**
 * Ends a guarded training whose trouble no roll-back removed. The model holds the troubled state,
 * which no checkpoint of this training does.
 */
public final class TroubleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long iteration;
  private final double loss;

  TroubleException(long iteration, double loss, String reason, @Nullable Throwable cause) {
    super("iteration " + iteration + " has loss " + loss + ": " + reason, cause);
    this.iteration = iteration;
    this.loss = loss;
  }

  /** The last troubled iteration. */
  public long iteration() {
    return iteration;
  }

  /** Its loss. */
  public double loss() {
    return loss;
  }
}
