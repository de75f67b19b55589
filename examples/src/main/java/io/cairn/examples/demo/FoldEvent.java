package io.cairn.examples.demo;

import io.cairn.core.model.Level;
import java.util.Optional;

/** One line of a {@link FoldLog}. */
sealed interface FoldEvent {
  record Start(int fold, long pid) implements FoldEvent {}

  record Epoch(long epoch) implements FoldEvent {}

  record Resumed(Level level, long iteration) implements FoldEvent {}

  record Step(long iterations) implements FoldEvent {}

  record Sealed(Level level, long iteration) implements FoldEvent {}

  record Done(
      String digest, double accuracy, long bytes, long p50Nanos, long p99Nanos, long maxNanos)
      implements FoldEvent {}

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
          case "sealed" -> new Sealed(Level.valueOf(words[2]), Long.parseLong(words[3]));
          case "done" ->
              new Done(
                  words[2],
                  Double.parseDouble(words[3]),
                  Long.parseLong(words[4]),
                  Long.parseLong(words[5]),
                  Long.parseLong(words[6]),
                  Long.parseLong(words[7]));
          default -> null;
        };
    return Optional.ofNullable(event).map(e -> new At(Long.parseLong(words[0]), e));
  }
}
