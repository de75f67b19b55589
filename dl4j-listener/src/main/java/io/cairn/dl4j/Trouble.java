package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.IteratorPosition;

/** Carries trouble out of DL4J's loop, which would go on with the next minibatch. */
final class Trouble extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long iteration;
  private final double loss;
  private final transient IteratorPosition position;

  /**
   * Trouble.
   *
   * @param iteration in which it was found
   * @param position of the minibatch that was trained
   */
  Trouble(long iteration, double loss, IteratorPosition position) {
    super("iteration " + iteration + " has loss " + loss, null, false, false);
    this.iteration = iteration;
    this.loss = loss;
    this.position = position;
  }

  long iteration() {
    return iteration;
  }

  double loss() {
    return loss;
  }

  IteratorPosition position() {
    return position;
  }
}
