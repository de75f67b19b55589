package io.cairn.examples.demo;

import io.cairn.Level;
import java.util.Arrays;
import java.util.Optional;

/** One line of a {@link FoldLog}. Iterations are indices from 0, except in {@link Step}. */
sealed interface FoldEvent {
  record Start(int fold, long pid) implements FoldEvent {}

  record Epoch(long epoch) implements FoldEvent {}

  record Resumed(Level level, long iteration) implements FoldEvent {}

  /** The number of completed iterations, those of earlier attempts included. */
  record Step(long iterations) implements FoldEvent {}

  /** An iteration was captured; its training waited so long for that. */
  record Captured(long iteration, long blockedNanos) implements FoldEvent {}

  /** An iteration did not stay at DEVICE. */
  record NotAtDevice(long iteration, String reason) implements FoldEvent {}

  record Sealed(Level level, long iteration) implements FoldEvent {}

  /**
   * The periods from an iteration on, and the measurements behind them. Times are NaN while
   * unknown.
   *
   * @param captureMillis for which a capture blocks the training
   * @param nodeMillis from the end of the capture until NODE holds a copy
   * @param storeMillis the same for STORE
   * @param predicted waste, a part of the run time
   * @param bound why the periods are not longer
   */
  record Cadence(
      long atIteration,
      long deviceEvery,
      long nodeEvery,
      long storeEvery,
      double iterationMillis,
      double captureMillis,
      double nodeMillis,
      double storeMillis,
      double predicted,
      String bound)
      implements FoldEvent {}

  /** Waste so far, parts of the run time. */
  record Waste(double seconds, double predicted, double achieved) implements FoldEvent {}

  /** The training ended; with the bytes of a checkpoint. */
  record Done(String digest, double accuracy, long bytes) implements FoldEvent {}

  /** An event and when it was written, in wall-clock milliseconds. */
  record At(long millis, FoldEvent event) {}

  /** The event of a whole line; empty for a word that is not known. */
  static Optional<At> parse(String line) {
    String[] words = line.split(" ", -1);
    FoldEvent event =
        switch (words[1]) {
          case "start" -> new Start(Integer.parseInt(words[2]), Long.parseLong(words[3]));
          case "epoch" -> new Epoch(Long.parseLong(words[2]));
          case "resumed" -> new Resumed(Level.valueOf(words[2]), Long.parseLong(words[3]));
          case "step" -> new Step(Long.parseLong(words[2]));
          case "captured" -> new Captured(Long.parseLong(words[2]), Long.parseLong(words[3]));
          case "not-at-device" -> new NotAtDevice(Long.parseLong(words[2]), rest(words, 3));
          case "sealed" -> new Sealed(Level.valueOf(words[2]), Long.parseLong(words[3]));
          case "cadence" -> cadence(words);
          case "waste" ->
              new Waste(
                  Double.parseDouble(words[2]),
                  Double.parseDouble(words[3]),
                  Double.parseDouble(words[4]));
          case "done" -> new Done(words[2], Double.parseDouble(words[3]), Long.parseLong(words[4]));
          default -> null;
        };
    return Optional.ofNullable(event).map(e -> new At(Long.parseLong(words[0]), e));
  }

  private static Cadence cadence(String[] words) {
    return new Cadence(
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        Double.parseDouble(words[6]),
        Double.parseDouble(words[7]),
        Double.parseDouble(words[8]),
        Double.parseDouble(words[9]),
        Double.parseDouble(words[10]),
        rest(words, 11));
  }

  private static String rest(String[] words, int from) {
    return String.join(" ", Arrays.asList(words).subList(from, words.length));
  }
}
