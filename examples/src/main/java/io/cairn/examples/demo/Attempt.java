package io.cairn.examples.demo;

import io.cairn.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The events known so far of one attempt of a fold. Not thread-safe. */
final class Attempt {
  private final int fold;
  private final long pid;
  private final long startMillis;
  private final List<FoldEvent.At> events = new ArrayList<>();
  private long epoch;
  private long iterations;
  private Optional<FoldEvent.Resumed> resumed = Optional.empty();
  private Optional<FoldEvent.Done> done = Optional.empty();

  Attempt(FoldEvent.Start start, long startMillis) {
    this.fold = start.fold();
    this.pid = start.pid();
    this.startMillis = startMillis;
  }

  void take(FoldEvent.At at) {
    events.add(at);
    if (at.event() instanceof FoldEvent.Epoch began) {
      epoch = began.epoch();
    } else if (at.event() instanceof FoldEvent.Resumed from) {
      resumed = Optional.of(from);
    } else if (at.event() instanceof FoldEvent.Step step) {
      iterations = step.iterations();
    } else if (at.event() instanceof FoldEvent.Done end) {
      done = Optional.of(end);
    }
  }

  int fold() {
    return fold;
  }

  long pid() {
    return pid;
  }

  long startMillis() {
    return startMillis;
  }

  /** 0 until it is known. */
  long epoch() {
    return epoch;
  }

  /** Iterations that are complete, those of earlier attempts included. */
  long iterations() {
    return iterations;
  }

  Optional<FoldEvent.Resumed> resumed() {
    return resumed;
  }

  Optional<FoldEvent.Done> done() {
    return done;
  }

  List<FoldEvent.At> events() {
    return events;
  }

  /** The events of one kind, in their order. */
  <E extends FoldEvent> Stream<E> events(Class<E> kind) {
    return events.stream().map(FoldEvent.At::event).filter(kind::isInstance).map(kind::cast);
  }

  /** The iterations that this attempt sealed at a level, in the order of their seals. */
  LongStream sealed(Level level) {
    return events(FoldEvent.Sealed.class)
        .filter(seal -> seal.level() == level)
        .mapToLong(FoldEvent.Sealed::iteration);
  }

  /** The newest iteration that this attempt sealed at a level, -1 if none. */
  long newestSealed(Level level) {
    return sealed(level).max().orElse(-1);
  }
}
