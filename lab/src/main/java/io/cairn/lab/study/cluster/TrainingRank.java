package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * One incarnation of a rank: a training loop as a user writes it. Its state depends on every epoch
 * and iteration that led to it, so that a wrong restore shows.
 */
final class TrainingRank implements Runnable {
  private static final Level[] LEVELS = Level.values();
  private static final long STEP_NANOS = 12_000_000;
  private static final int CHUNK_LONGS = Settings.CHUNK_BYTES / Long.BYTES;

  /** Of so many chunks, one changes in a step, if checkpoints lean on older ones. */
  private static final int CHUNKS_PER_CHANGE = 4;

  /** Larger groups have no larger ranks, which would not fit their caches twice. */
  private static final int MOST_COUNTED = 4;

  private final Turns turns;
  private final TrueHistory ledger;
  private final ExecutorProcess process;
  private final GroupAttempt attempt;
  private final Member member;
  private final long[] state;
  private final List<CheckpointTicket> tickets = new ArrayList<>();

  TrainingRank(
      Turns turns,
      TrueHistory ledger,
      ExecutorProcess process,
      GroupAttempt attempt,
      Member member) {
    this.turns = turns;
    this.ledger = ledger;
    this.process = process;
    this.attempt = attempt;
    this.member = member;
    int longs = 32 + 16 * member.rank() + 64 * Math.min(member.size() - 1, MOST_COUNTED);
    this.state = new long[ledger.layered() ? longs + 3 * CHUNK_LONGS : longs];
  }

  Actor actor() {
    return process.actor();
  }

  @Override
  public void run() {
    try {
      long known = ledger.newestEpoch(member.group());
      CheckpointTicket end;
      try (Checkpointer session = process.join(member, this::interruption)) {
        note("joins epoch " + session.epoch());
        ledger.joined(member.group(), session.epoch(), member.rank(), attempt.home(process), known);
        session.protect(Region.of("state", state));
        end = train(session, restore(session, Optional.empty()));
      }
      note("ends");
      requireSettled();
      requireNotReplaced(end.sealed(Level.STORE));
      ledger.ended(member.group());
      attempt.ended(this, "");
    } catch (CancellationException e) {
      attempt.ended(this, String.valueOf(e.getMessage()));
    } catch (RestoreException e) {
      attempt.refuse();
      attempt.ended(this, String.valueOf(e.getMessage()));
    }
  }

  private void interruption() {
    if (attempt.cancelled()) {
      throw new CancellationException("cancelled");
    }
  }

  /**
   * Restores what the group has.
   *
   * @param sealed what STORE had before, if this is a rollback
   */
  private long restore(Checkpointer session, Optional<Set<CheckpointId>> sealed) {
    Arrays.fill(state, member.rank());
    Optional<PeerCost> before = process.costOfNodes();
    Optional<CheckpointId> found = session.restore().map(report -> report.id());
    requireBounded(before, "a restore of " + member);
    note("resumes from " + found.map(CheckpointId::label).orElse("nothing"));
    sealed.ifPresent(
        atStore ->
            ledger.rolledBack(
                member.group(), session.epoch(), member.rank(), attempt.home(process), atStore));
    ledger.restored(member.group(), session.epoch(), member.rank(), found, digest());
    return found.map(id -> id.iteration() + 1).orElse(0L);
  }

  private void requireBounded(Optional<PeerCost> before, String what) {
    process.costOfNodes().ifPresent(now -> now.requireBounded(before.orElseThrow(), what));
  }

  private CheckpointTicket train(Checkpointer session, long from) {
    boolean rolledBack = from >= attempt.rollsBackAt();
    for (long next = from; next < attempt.goal(); next++) {
      if (!rolledBack && next == attempt.rollsBackAt()) {
        rolledBack = true;
        next = restore(session, Optional.of(ledger.atStore(member.group())));
        if (next >= attempt.goal()) {
          break; // an attempt that was replaced had reached it
        }
      }
      turns.await(null, 1 + turns.random().nextLong(STEP_NANOS));
      interruption();
      step(session.epoch(), next);
      attempt.stepped();
      recordState(session, next);
      boolean last = next == attempt.goal() - 1;
      Optional<PeerCost> before = process.costOfNodes();
      CheckpointTicket ticket =
          last && attempt.endsAtOnce() ? session.end(next) : session.checkpoint(next);
      requireBounded(before, "a checkpoint of " + member);
      watch(ticket);
      attempt.kept(!last || ticket.captured().join() instanceof Outcome.Captured);
      requireNotReplaced(ticket.captured());
    }
    recordState(session, attempt.goal() - 1);
    CheckpointTicket end = session.end(attempt.goal() - 1);
    watch(end);
    return end;
  }

  /** A rank whose group went on without it gives up, also if it has just reached its goal. */
  private static void requireNotReplaced(CompletableFuture<Outcome> outcome) {
    if (outcome.join() instanceof Outcome.Fenced fenced) {
      throw new CancellationException("fenced: " + fenced.reason());
    }
  }

  private void recordState(Checkpointer session, long iteration) {
    ledger.captured(
        new CheckpointId(member.group(), session.epoch(), iteration),
        member.rank(),
        digest(),
        attempt.home(process));
  }

  /** No ticket stays open: after the close each level of each checkpoint has an outcome. */
  private void requireSettled() {
    for (CheckpointTicket ticket : tickets) {
      for (Level level : LEVELS) {
        TrueHistory.require(
            ticket.sealed(level).isDone(),
            "%s left, and was not told whether %s is at %s"
                .formatted(member, ticket.id().label(), level));
      }
    }
  }

  private void watch(CheckpointTicket ticket) {
    tickets.add(ticket);
    for (Level level : LEVELS) {
      var unused =
          ticket
              .sealed(level)
              .thenAccept(
                  outcome -> {
                    if (outcome instanceof Outcome.Sealed) {
                      ledger.sealed(ticket.id(), member.rank(), level);
                    } else if (outcome instanceof Outcome.Failed && !attempt.cancelled()) {
                      ledger.failed(ticket.id(), level);
                    }
                  });
    }
  }

  private void step(long epoch, long iteration) {
    for (int i = 0; i < state.length; i++) {
      if (ledger.layered() && (i / CHUNK_LONGS - iteration) % CHUNKS_PER_CHANGE != 0) {
        continue;
      }
      long mixed = (state[i] + i) * 0x9E3779B97F4A7C15L + epoch * 31 + iteration;
      state[i] = mixed ^ (mixed >>> 29);
    }
  }

  private long digest() {
    return Arrays.hashCode(state);
  }

  private void note(String what) {
    turns.note(member.group().group() + "/" + member.rank(), what + " [" + process.actor() + "]");
  }
}
