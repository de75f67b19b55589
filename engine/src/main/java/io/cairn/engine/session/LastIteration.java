package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Membership;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last iteration that a rank reported: later ones rise within an epoch, and the training may
 * have ended with it. It ended in order only if its program said so, and the newest checkpoint is
 * of the iteration that it named; otherwise it stopped there, for whatever reason. The training
 * thread owns it.
 */
final class LastIteration {
  private static final Logger LOG = LoggerFactory.getLogger(LastIteration.class);

  /** Between two tries to bring the end to STORE. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SessionContext context;
  private final Member member;
  private final Loading loading;
  private final Captures captures;
  private final Arrivals arrivals;

  /** The iteration after which the epoch began, as long as none was reported; -1 for the start. */
  private long iteration = -1;

  /** Its ticket; null if nothing was computed since a restore. */
  private @Nullable Ticket ticket;

  /** Whether it was captured a second time. */
  private boolean repeated;

  /** Whether the training ended with it. */
  private boolean atEnd;

  /** Whether it ended so with what was restored, since STORE has that. */
  private boolean restoredEnd;

  /** Completes when the checkpoint that {@link #mayWait} allowed last is settled. */
  private CompletableFuture<?> ended = CompletableFuture.completedFuture(null);

  /** Of a rank that has reported none. */
  LastIteration(
      SessionContext context,
      Member member,
      Loading loading,
      Captures captures,
      Arrivals arrivals) {
    this.context = context;
    this.member = member;
    this.loading = loading;
    this.captures = captures;
    this.arrivals = arrivals;
  }

  /** Its number; -1 before the first. */
  long iteration() {
    return iteration;
  }

  /** Its ticket; empty if nothing was computed since a restore. */
  Optional<Ticket> ticket() {
    return Optional.ofNullable(ticket);
  }

  /** A new epoch begins after an iteration; -1 for the very start. */
  void restart(long after) {
    iteration = after;
    ticket = null;
    repeated = false;
    atEnd = false;
    restoredEnd = false;
  }

  /**
   * Checks one before anything changes: an iteration without a legal name would allow no later one.
   *
   * @throws IllegalArgumentException if no checkpoint can have it
   */
  void requireLegal(long next) {
    if (next < 0 || next > CheckpointId.MAX_NUMBER) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: iteration %d: give 0 to %d",
              member,
              next,
              CheckpointId.MAX_NUMBER));
    }
  }

  /**
   * Goes on to the next one.
   *
   * @param ending whether it may be the last one again
   * @throws IllegalArgumentException if it does not rise
   */
  void advance(long next, boolean ending, long epoch) {
    if (next < iteration || (next == iteration && !ending)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("%s: iteration %d after %d in epoch %d: iterations must rise within an epoch;"
                  + " restore() begins a new one"),
              member,
              next,
              iteration,
              epoch));
    }
    iteration = next;
  }

  /** The ticket of an iteration that was reported, and the group may take back. */
  Optional<Ticket> toRepeat(long again) {
    return ticket().filter(first -> again == iteration && first.due(Level.DEVICE));
  }

  /**
   * The iteration has a ticket.
   *
   * @param again whether it had one that was taken back
   * @param ending whether the training ends with it, as far as is known
   */
  void taken(Ticket now, boolean again, boolean ending) {
    ticket = now;
    repeated = again;
    atEnd = ending;
    restoredEnd = false;
  }

  /** Whether the training can end with this iteration without another capture. */
  boolean mayEndAt(long end, EpochSession epoch) {
    Ticket latest = ticket;
    return end == iteration && (latest == null ? isAtStore(epoch) : isKept(latest, epoch));
  }

  /** The training ends with it; returns its ticket, if it was computed. */
  Optional<Ticket> end() {
    Ticket latest = ticket;
    if (latest != null && mayWait(latest)) {
      captures.awaitLast(context.closeTimeout());
      boolean unused = arrivals.ending(latest.id());
    }
    atEnd = true;
    restoredEnd = latest == null;
    return Optional.ofNullable(latest);
  }

  /**
   * Whether the group has the last iteration where STORE can receive it from, or this rank can
   * report it once more. Waits for the group's outcome at DEVICE, and if it is bad, at all levels:
   * ranks capture an iteration again only if all of them do.
   */
  private boolean isKept(Ticket latest, EpochSession epoch) {
    if (!latest.due(Level.DEVICE)) {
      return false;
    }
    captures.beside().ifPresent(capture -> capture.await(context.closeTimeout()));
    Membership now = epoch.membership();
    TrainingPatience patience = TrainingPatience.of(context, member, now, context.closeTimeout());
    boolean known = patience.await(latest.sealed(Level.DEVICE));
    if (known && !latest.isSealed(Level.DEVICE)) {
      known = patience.await(latest.settled());
    }
    boolean sendsOn = latest.isSealed(Level.DEVICE) || latest.isSealed(LevelSpec.committed());
    if (!known || repeated || now.fencedBecause() != null || sendsOn) {
      return true;
    }
    if (latest.captured().isDone() && !latest.isCaptured()) {
      return false; // an earlier capture may still be under way
    }
    captures.awaitLast(context.closeTimeout()); // it may be copied, and not have landed yet
    return member.size() > 1
        && latest.isCaptured()
        && arrivals.ending(latest.id())
        && reportAgain(latest, epoch);
  }

  private boolean reportAgain(Ticket latest, EpochSession epoch) {
    repeated = true;
    epoch.again(latest);
    if (latest.isSealed()) {
      // a rank that has it at NODE alone gives DEVICE up again, and no order to send it comes
      arrivals.sendLast(latest.id(), epoch.tickets());
    }
    return true;
  }

  /** Whether STORE holds what was restored, and nothing was computed since. */
  private boolean isAtStore(EpochSession epoch) {
    return epoch
        .agreed()
        .id()
        .filter(base -> loading.isAt(base, LevelSpec.committed()))
        .isPresent();
  }

  /** One last checkpoint at a time may exceed the bound of the queues. */
  boolean mayWait(Ticket ending) {
    boolean alone = ended.isDone();
    if (alone) {
      ended = ending.settled();
    }
    return alone;
  }

  /**
   * Tells the coordinator, and waits until the newest checkpoint is settled at every level.
   *
   * @param epoch the rank's last one
   * @param endNanos when waiting ends
   * @return whether the training ended in order, and STORE has its last checkpoint for the whole
   *     group
   */
  boolean keep(EpochSession epoch, long endNanos) {
    arrivals.ending();
    try {
      OptionalLong captured = arrivals.newest(epoch.membership().epoch());
      OptionalLong ended = atEnd ? OptionalLong.of(iteration) : OptionalLong.empty();
      if (captured.isEmpty() && restoredEnd) {
        return keep(epoch, endNanos, ended, MemberMessage.End.RESTORED);
      }
      boolean inOrder = ended.isPresent() && ended.equals(captured);
      return keep(
          epoch,
          endNanos,
          captured,
          inOrder ? MemberMessage.End.CAPTURED : MemberMessage.End.STOPPED);
    } finally {
      arrivals.goesOn();
    }
  }

  /**
   * Likewise. An end at DEVICE that STORE fails to take is sent there again until waiting ends.
   *
   * @param last the rank's last iteration; empty if it captured none
   */
  private boolean keep(
      EpochSession epoch, long endNanos, OptionalLong last, MemberMessage.End end) {
    TrainingPatience patience =
        new TrainingPatience(context.nanoTime(), context.waits(), endNanos, () -> pointless(epoch));
    boolean inOrder = end != MemberMessage.End.STOPPED;
    // another attempt computes the iterations of a cancelled one again, so they are not its last
    boolean tells = last.isPresent() && epoch.base() != null && !cancelled();
    boolean told;
    boolean all;
    boolean again;
    long pauseNanos = FIRST_PAUSE_NANOS;
    do {
      told = tells && tell(epoch, patience, last.getAsLong(), end);
      all = patience.await(epoch.tickets().all());
      again =
          told
              && all
              && inOrder
              && mayReachStore(epoch.tickets(), last.getAsLong())
              && patience.pause(pauseNanos);
      pauseNanos = pauseAfter(pauseNanos);
    } while (again);
    long kept =
        end == MemberMessage.End.RESTORED && told
            ? last.getAsLong()
            : epoch.tickets().newestAtStore();
    if (last.isPresent()) {
      report(epoch, last.getAsLong(), inOrder, kept, all);
    }
    return inOrder && kept >= last.getAsLong();
  }

  /** The next pause doubles, yet misses no store that returns for some seconds. */
  static long pauseAfter(long pauseNanos) {
    return Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  private boolean tell(
      EpochSession epoch, TrainingPatience patience, long last, MemberMessage.End end) {
    Membership now = epoch.membership();
    return patience.await(
        arrivals.ask(now, new MemberMessage.Ending(member.rank(), now.epoch(), last, end)));
  }

  /** Whether STORE failed to take an iteration that an order can send there once more. */
  private static boolean mayReachStore(Tickets tickets, long last) {
    return tickets.hasFailedAtStore(last) && tickets.newestAtDevice() == last;
  }

  private void report(EpochSession epoch, long captured, boolean inOrder, long kept, boolean all) {
    if (atEnd && !inOrder) {
      LOG.warn(
          "{} ended with iteration {}, which was not captured: its newest checkpoint is of"
              + " iteration {}, {}. A restart computes the rest again",
          member,
          iteration,
          captured,
          atStore(epoch, kept, captured, all));
    } else if (kept < captured) {
      LOG.warn(
          "{} {} iteration {}; {}",
          member,
          inOrder ? "ended with" : "stopped at",
          captured,
          atStore(epoch, kept, captured, all));
    } else if (inOrder) {
      LOG.info("{} ended with iteration {}; its checkpoint is at STORE", member, captured);
    } else {
      LOG.info(
          "{} stopped at iteration {}, whose checkpoint is at STORE; its training has not ended,"
              + " since nobody called end()",
          member,
          captured);
    }
  }

  private String atStore(EpochSession epoch, long kept, long captured, boolean all) {
    if (kept >= captured) {
      return "at STORE";
    }
    String newest = kept < 0 ? "of an earlier epoch" : "of iteration " + kept;
    String rest =
        all
            ? ""
            : String.format(
                Locale.ROOT,
                "; %d are still on their way (closeTimeout is %s)",
                epoch.tickets().unsettled(),
                context.closeTimeout());
    return "its newest checkpoint at STORE is " + newest + rest;
  }

  /** A cancelled rank does not wait: its group continues without this attempt. */
  private boolean cancelled() {
    try {
      context.interruption().run();
      return false;
    } catch (CancellationException e) {
      LOG.info("{} does not wait for its last checkpoints: {}", member, e.getMessage());
      return true;
    }
  }

  private boolean pointless(EpochSession epoch) {
    // a coordinator that ended seals nothing, and a later one begins a new epoch
    return epoch.membership().fencedBecause() != null
        || epoch.membership().isAbandoned()
        || Thread.currentThread().isInterrupted()
        || cancelled();
  }
}
