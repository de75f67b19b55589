package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.events.Repeats;
import io.cairn.engine.events.Watchdog;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings captured checkpoints from DEVICE to the levels below it, step by step, and reports each
 * result. Knows no level but DEVICE; the list of steps says which there are. Thread-safe.
 */
public final class Promotion implements AutoCloseable {
  /*
   * Order. A step begins when the nearest due level that it reads from holds the checkpoint. If
   * that level fails, the step begins all the same and reads from the level before. Each step has a
   * stage of its own, so that a slow level delays no other.
   *
   * Pins. A step pins the source at DEVICE only while no level that it reads from holds the
   * checkpoint. So a slow store pins NODE, and never DEVICE.
   *
   * Back-pressure. A stage that is full refuses, but not the last checkpoint of a rank. The steps
   * after it run if a level before it holds the checkpoint; otherwise they are skipped, too, since
   * they would pin DEVICE.
   *
   * Giving up. A checkpoint that one rank skips at a level is of no use there to the others. They
   * take it from the queue, or break its write off. Otherwise ranks whose stages are full at
   * different times would each write what another one skipped, and seal nothing.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Promotion.class);

  private final List<PromotionStep> steps;
  private final Watchdog watchdog;
  private final LongSupplier nanoTime;
  private final Repeats repeats;
  private final Map<Level, LevelCopies> copies = new EnumMap<>(Level.class);

  /** One per thread of a stage, which lives as long as this. */
  private final ThreadLocal<StagingBuffer> staging = ThreadLocal.withInitial(StagingBuffer::new);

  private final QueuedWrite.Way way =
      new QueuedWrite.Way() {
        @Override
        public OpenCopies nearest(PromotionStep step, Promoted checkpoint, int most)
            throws IOException {
          return nearestCopy(step, checkpoint, most);
        }

        @Override
        public Watchdog.Work begins(Promoted checkpoint, Level level) {
          return watchdog.begin(
              checkpoint.member(), "the write of " + checkpoint.id().label() + " to " + level);
        }

        @Override
        public void onwards(Level level, Promoted checkpoint, boolean held) {
          follow(level, checkpoint, held);
        }

        @Override
        public void failed(Promoted checkpoint, Level level, Exception cause) {
          repeats
              .pass(level + " " + cause.getClass().getName())
              .ifPresent(
                  more -> LOG.warn("{} does not reach {}{}", checkpoint.id(), level, more, cause));
        }
      };

  /**
   * A promotion by these steps, whose stages it closes.
   *
   * @param watchdog reports writes that hang
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws IllegalArgumentException if two steps write one level. Also if a step reads from a
   *     level that is neither DEVICE nor written by a step before it
   */
  public Promotion(List<PromotionStep> steps, Watchdog watchdog, LongSupplier nanoTime) {
    this.watchdog = watchdog;
    this.nanoTime = nanoTime;
    this.repeats = new Repeats(nanoTime);
    this.steps = List.copyOf(steps);
    for (PromotionStep step : steps) {
      boolean readable = step.readsFrom() == Level.DEVICE || copies.containsKey(step.readsFrom());
      if (!readable || copies.putIfAbsent(step.level(), new LevelCopies(step, repeats)) != null) {
        throw new IllegalArgumentException(
            step.level() + " cannot follow " + copies.keySet() + ", from " + step.readsFrom());
      }
    }
  }

  /**
   * The copies at all levels below DEVICE, the nearest first.
   *
   * @param atStore the survey of the rank that restores; without one STORE is listed
   */
  public List<CopySource> copies(Optional<RankSurvey> atStore) {
    return steps.stream()
        .sorted(Comparator.comparing(PromotionStep::level))
        .map(step -> step.writer().copies(atStore))
        .toList();
  }

  /** The levels that checkpoints can be brought to. */
  public Set<Level> levels() {
    return Level.where(copies::containsKey);
  }

  /**
   * Collects what the levels know of a group that a rank is about to join. Does I/O.
   *
   * @throws IOException if STORE does not show the group's birth
   */
  public Origin enter(GroupId group) throws IOException {
    Origin origin = new Origin("", 0);
    for (PromotionStep step : steps) {
      Optional<Origin> known = step.writer().enter(group);
      if (known.isPresent()) {
        origin = known.get().atLeast(origin.epoch());
      }
    }
    return origin;
  }

  /**
   * A rank of this process joined its group: marks the new epoch at every level. Does I/O.
   *
   * @param claimed whether STORE has the claim of the epoch
   */
  public void begin(Member member, long epoch, boolean claimed) {
    steps.forEach(step -> step.writer().begin(member, epoch, claimed));
  }

  /** Sends a complete checkpoint to the levels that it is due at; returns at once. */
  public void promote(Promoted checkpoint) {
    for (Level level : checkpoint.due()) {
      if (copies.containsKey(level)) {
        readBy(level).forEach(read -> copies(read).keepFor(level, checkpoint));
      } else {
        checkpoint.reporter().gaveUp(level, Why.FAILED, "no step leads to " + level);
      }
    }
    follow(Level.DEVICE, checkpoint, false);
  }

  /**
   * Begins the steps that wait for a level.
   *
   * @param held whether that level, or another one below DEVICE, holds the checkpoint
   */
  private void follow(Level level, Promoted checkpoint, boolean held) {
    fedBy(level, checkpoint).forEach(step -> offer(step, checkpoint, held));
  }

  private void offer(PromotionStep step, Promoted checkpoint, boolean held) {
    Level level = step.level();
    if (!QueuedWrite.isWanted(checkpoint, level, false)) {
      follow(level, checkpoint, held);
      return;
    }
    Optional<Pin> pin = held ? Optional.empty() : checkpoint.source().pin();
    if (!held && pin.isEmpty() && step.readsFrom() == Level.DEVICE) {
      skip(step, checkpoint, "it left the device cache before it could be pinned");
      return;
    }
    Runnable unpin = pin.<Runnable>map(open -> open::close).orElse(() -> {});
    if (!enqueue(new QueuedWrite(step, checkpoint, held, unpin, way))) {
      unpin.run();
      String reason =
          String.format(
              Locale.ROOT,
              "%s is slower than the cadence: %d bytes wait, and %d more exceed queueSize",
              level,
              step.stage().queuedBytes(),
              checkpoint.bytes());
      if (held) {
        checkpoint.reporter().gaveUp(level, Why.SKIPPED, reason);
        follow(level, checkpoint, true);
      } else {
        skip(step, checkpoint, reason);
      }
    }
  }

  /** An ending training or process has no later checkpoint that could replace this one. */
  private static boolean enqueue(QueuedWrite write) {
    Promoted checkpoint = write.checkpoint();
    Stage stage = write.step().stage();
    if (!checkpoint.ending() && stage.offer(checkpoint.bytes(), write)) {
      return true;
    }
    // the end may have come while it was on its way
    return (checkpoint.ending() || checkpoint.reporter().isLast())
        && stage.admit(checkpoint.bytes(), write);
  }

  /** Gives up a level and all that wait for it. */
  private void skip(PromotionStep step, Promoted checkpoint, String reason) {
    checkpoint.reporter().gaveUp(step.level(), Why.SKIPPED, reason);
    fedBy(step.level(), checkpoint).forEach(next -> skip(next, checkpoint, reason));
  }

  private OpenCopies nearestCopy(PromotionStep step, Promoted checkpoint, int most)
      throws IOException {
    for (Level level : readBy(step.level())) {
      try {
        CopySource source = step(level).writer().copies(Optional.empty());
        Optional<OpenCopies> copies =
            OpenCopies.open(source, checkpoint.id(), checkpoint.rank(), most);
        if (copies.isPresent()) {
          return copies.get();
        }
      } catch (IOException e) {
        repeats
            .pass("read at " + level)
            .ifPresent(
                more -> LOG.warn("{} cannot be read at {}{}", checkpoint.id(), level, more, e));
      }
    }
    return new OpenCopies(List.of(checkpoint.asCaptured(staging.get())));
  }

  /** The levels below DEVICE that a level may be read from, the nearest to it first. */
  private List<Level> readBy(Level level) {
    List<Level> read = new ArrayList<>();
    for (Level from = step(level).readsFrom();
        from != Level.DEVICE;
        from = step(from).readsFrom()) {
      read.add(from);
    }
    return read;
  }

  /** The due steps for which this is the nearest due level that they read from. */
  private List<PromotionStep> fedBy(Level level, Promoted checkpoint) {
    if (checkpoint.due().isEmpty()) {
      return List.of();
    }
    return steps.stream()
        .filter(step -> checkpoint.due().contains(step.level()))
        .filter(
            step ->
                readBy(step.level()).stream()
                        .filter(checkpoint.due()::contains)
                        .findFirst()
                        .orElse(Level.DEVICE)
                    == level)
        .toList();
  }

  /**
   * Lets every level delete what it need not keep any more, after a level of a checkpoint was
   * settled for the whole group; returns at once.
   */
  public void onSettled(CheckpointId id, int rank, Level level, Outcome outcome) {
    if (!copies.containsKey(level)) {
      return;
    }
    if (!(outcome instanceof Outcome.NotDue)) {
      step(level).writer().settled(id, rank, outcome);
    }
    boolean sealed = outcome instanceof Outcome.Sealed;
    if (sealed) {
      // first, so that the level below never takes a copy for unneeded that this level leans on
      retain(level, id);
    }
    for (Level from : readBy(level)) {
      if (outcome instanceof Outcome.Failed) {
        // its copy may be what could not be read
        step(from).writer().settled(id, rank, outcome);
      }
      // until now their copies were being read
      boolean released = copies(from).release(level, id, rank);
      if (sealed) {
        retain(from, id);
      } else if (released) {
        copies(from).retainAgain(id.group(), leaningOn(from, id.group()));
      }
    }
  }

  /** The group gave a checkpoint up at a level: its place in the queue is free; returns at once. */
  public void giveUp(CheckpointId id, int rank, Level level) {
    if (copies.containsKey(level)) {
      step(level)
          .stage()
          .take(task -> task instanceof QueuedWrite write && write.isGivenUp(id, rank))
          .ifPresent(task -> ((QueuedWrite) task).leave());
    }
  }

  private void retain(Level level, CheckpointId newest) {
    copies(level).retain(newest, leaningOn(level, newest.group()));
  }

  /** The checkpoints of a group that other levels keep at this one. */
  private LevelCopies.Leaning leaningOn(Level level, GroupId group) {
    List<LevelCopies.Leaning> others =
        steps.stream()
            .filter(step -> step.readsFrom() == level)
            .map(step -> copies(step.level()).leaning(group))
            .toList();
    return inUse -> {
      Set<CheckpointId> kept = new HashSet<>();
      for (LevelCopies.Leaning other : others) {
        kept.addAll(other.find(inUse));
      }
      return kept;
    };
  }

  /** Deletes a checkpoint that the group gave up at a level; returns at once. */
  public void drop(CheckpointId id, Level level) {
    Optional.ofNullable(copies.get(level)).ifPresent(there -> there.drop(id));
  }

  /**
   * Forgets a group, of which no rank is in this process any more.
   *
   * @param ended the epoch with which the training ended in order, if it did
   */
  public void left(GroupId group, OptionalLong ended) {
    copies.values().forEach(there -> there.forget(group));
    steps.forEach(step -> step.writer().left(group, ended));
  }

  private PromotionStep step(Level level) {
    return copies(level).step();
  }

  private LevelCopies copies(Level level) {
    LevelCopies known = copies.get(level);
    if (known == null) {
      throw new IllegalArgumentException("no step leads to " + level);
    }
    return known;
  }

  /**
   * Ends all stages, waiting for what is queued in all of them until {@code endNanos}. Logs the
   * checkpoints that are dropped then.
   */
  public void end(long endNanos) {
    for (PromotionStep step : steps) {
      long left = Math.max(0, endNanos - nanoTime.getAsLong());
      warnOfDropped(step.level(), step.stage().close(Duration.ofNanos(left)));
    }
  }

  private static void warnOfDropped(Level level, List<Runnable> dropped) {
    NavigableSet<CheckpointId> ids = new TreeSet<>();
    for (Runnable task : dropped) {
      if (task instanceof QueuedWrite write) {
        ids.add(write.checkpoint().id());
      }
    }
    if (!ids.isEmpty()) {
      LOG.warn(
          "{} checkpoints waited for {} when the time to close (closeTimeout) was over, and do not"
              + " reach it; the newest is {}",
          ids.size(),
          level,
          ids.last());
    }
  }

  @Override
  public void close() {
    steps.forEach(step -> step.stage().close(Duration.ZERO));
  }
}
