package io.cairn.lab.measure;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A checkpointer that can wait until its checkpoints are where they belong. One that failed costs
 * little, so it ends the measurement. Not thread-safe.
 */
public final class SettledTickets implements Checkpointer {
  private static final long PATIENCE_SECONDS = 120;

  private final Checkpointer checkpointer;
  private final boolean beside;
  private final List<CheckpointTicket> open = new ArrayList<>();
  private long stored;

  /**
   * Passes every call on.
   *
   * @param beside whether checkpoints may be copied beside the training; otherwise they are copied
   *     when they are asked for
   */
  public SettledTickets(Checkpointer checkpointer, boolean beside) {
    this.checkpointer = checkpointer;
    this.beside = beside;
  }

  /**
   * Waits for every level of every checkpoint, so that the next measurement has the machine to
   * itself.
   *
   * @throws java.util.concurrent.CompletionException if that takes two minutes
   * @throws IllegalStateException if one failed at a level; the message names both, and the reason
   */
  public void await() {
    CompletableFuture.allOf(
            open.stream()
                .flatMap(ticket -> Stream.of(Level.values()).map(ticket::sealed))
                .toArray(CompletableFuture<?>[]::new))
        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .join();
    for (CheckpointTicket ticket : open) {
      for (Level level : Level.values()) {
        Outcome outcome = ticket.sealed(level).join();
        if (outcome instanceof Outcome.Failed || outcome instanceof Outcome.Fenced) {
          throw new IllegalStateException(
              ticket.id() + " is not at " + level + ", so its cost is none: " + outcome);
        }
      }
      stored += ticket.sealed(Level.STORE).join() instanceof Outcome.Sealed ? 1 : 0;
    }
    open.clear();
  }

  /** The checkpoints that were sealed at STORE by the last {@link #await()}. */
  public long stored() {
    return stored;
  }

  @Override
  public void score(double ofNext) {
    checkpointer.score(ofNext);
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    CheckpointTicket ticket = checkpointer.checkpoint(iteration);
    open.add(ticket);
    return ticket;
  }

  @Override
  public CheckpointTicket checkpointBeside(long iteration) {
    if (!beside) {
      return checkpoint(iteration);
    }
    CheckpointTicket ticket = checkpointer.checkpointBeside(iteration);
    open.add(ticket);
    return ticket;
  }

  @Override
  public void awaitCaptured() {
    checkpointer.awaitCaptured();
  }

  @Override
  public void awaitCaptured(String region) {
    checkpointer.awaitCaptured(region);
  }

  @Override
  public CheckpointTicket end(long iteration) {
    CheckpointTicket ticket = checkpointer.end(iteration);
    open.add(ticket);
    return ticket;
  }

  @Override
  public Member member() {
    return checkpointer.member();
  }

  @Override
  public long epoch() {
    return checkpointer.epoch();
  }

  @Override
  public void protect(Region region, RegionOptions options) {
    checkpointer.protect(region, options);
  }

  @Override
  public void describe(String name, String value, Predicate<String> same) {
    checkpointer.describe(name, value, same);
  }

  @Override
  public void relocate(Region region) {
    checkpointer.relocate(region);
  }

  @Override
  public Optional<RestoreReport> restore() {
    return checkpointer.restore();
  }

  @Override
  public Optional<RestoreReport> restore(CheckpointId id) {
    return checkpointer.restore(id);
  }

  @Override
  public Optional<RestoreReport> restoreBefore(long iteration) {
    return checkpointer.restoreBefore(iteration);
  }

  @Override
  public void startAfresh() {
    checkpointer.startAfresh();
  }

  @Override
  public List<HeldCheckpoint> checkpoints() {
    return checkpointer.checkpoints();
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, Region... into) {
    return checkpointer.load(id, into);
  }

  @Override
  public void close() {
    checkpointer.close();
  }
}
