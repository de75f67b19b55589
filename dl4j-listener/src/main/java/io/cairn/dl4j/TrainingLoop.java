package io.cairn.dl4j;

import java.util.Map;
import java.util.Optional;

/** Reads from the calling thread's stack which loop of DL4J trains. Takes microseconds. */
final class TrainingLoop {
  private static final String SOLVERS = "org.deeplearning4j.optimize.solvers.";

  /** Packages whose loops no checkpoint of the model can resume. */
  private static final Map<String, String> FOREIGN =
      Map.of(
          "org.deeplearning4j.earlystopping.",
          "an EarlyStoppingTrainer counts epochs and keeps its best score outside of the model,"
              + " where no checkpoint holds them; use CairnEarlyStopping",
          "org.deeplearning4j.parallelism.",
          "ParallelWrapper trains clones of the model on threads of its own, which share one"
              + " listener; take the listener off the model, and call the wrapper in"
              + " TrainingRounds",
          "org.deeplearning4j.spark.",
          "DL4J's training on Spark trains clones of the model in its workers; take the listener"
              + " off the model, and call fit in TrainingRounds on the driver");

  private TrainingLoop() {}

  /** Whether DL4J is in the middle of an iteration on this thread. */
  static boolean inIteration() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(SOLVERS)));
  }

  /** The reason why the loop that called this cannot be resumed; empty if it can. */
  static Optional<String> refusal() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .flatMap(
                        name ->
                            FOREIGN.entrySet().stream()
                                .filter(foreign -> name.startsWith(foreign.getKey())))
                    .map(Map.Entry::getValue)
                    .findFirst());
  }
}
