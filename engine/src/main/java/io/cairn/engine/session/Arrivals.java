package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.RankReporter;
import io.cairn.engine.session.Ticket.Reporter;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.borrower.LeasedChunks;
import io.cairn.engine.sharing.borrower.Leases;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes one rank's captures when the device has copied them: reports them to the coordinator
 * and sends them to the levels that they are due at. Remembers the newest, and sends them to
 * further levels when the coordinator orders it. Captures land one after the other, on the training
 * thread or on the completer; orders come on the coordination's thread meanwhile.
 */
final class Arrivals {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  /** A coupled group's checkpoint may be sealed at DEVICE when the next ones are captured. */
  private static final int KNOWN = 16;

  private final SessionContext context;
  private final Member member;
  private final FallBack fallBack;
  private final FreshnessAlarm freshness;

  /** A capture, and the levels that it was sent to. */
  private record Known(Promoted captured, Set<Level> sent) {}

  /** The newest captures, the newest first. Its lock guards the sets of levels, too. */
  private final Deque<Known> newest = new ArrayDeque<>();

  /** Waits for the coordinator's answers. */
  private final Queue<CompletableFuture<@Nullable Void>> asked = new ConcurrentLinkedQueue<>();

  /** Keeps the training's last checkpoint from eviction; the training thread's alone. */
  private Optional<Pin> last = Optional.empty();

  Arrivals(SessionContext context, Member member, FallBack fallBack) {
    this.context = context;
    this.member = member;
    this.fallBack = fallBack;
    this.freshness = new FreshnessAlarm(member);
  }

  /** Watches a protected region. */
  void watch(Region region) {
    if (!(region instanceof Region.Blob)) {
      freshness.watch(region.name());
    }
  }

  /** The regions were written by a restore. */
  void restored() {
    freshness.reset();
  }

  /**
   * Ends a capture, on the training thread or, for a device that copies later, on the completer.
   *
   * @param slots that it is copied to, the source of {@code begun}
   */
  void land(Capture capture, CachedCheckpoint slots, Reporter reporter, Promoted begun) {
    Optional<Pin> pin = Optional.empty();
    try {
      Promoted captured = begun.at(settled(capture, slots, reporter, begun));
      List<RegionImage> images = capture.await();
      checkFreshness(captured.id(), images);
      pin = slots.pin();
      slots.complete(images, captured.ancestry(), captured.program(), captured.member().size());
      landed(slots, reporter, captured);
    } catch (IOException | RuntimeException | Error e) {
      capture.abandon(); // until its copies have ended, they use the slots
      lost(slots, reporter, begun, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lost(slots, reporter, begun, e);
    } finally {
      pin.ifPresent(Pin::close);
    }
  }

  private void lost(CachedCheckpoint slots, Reporter reporter, Promoted begun, Throwable cause) {
    slots.discard();
    if (begun.leases().chunks() > 0) {
      Timing timing = reporter.timing();
      fallBack.missed(begun.id(), timing.releasedNanos() - timing.stoppedNanos(), cause.toString());
    }
    reporter.epoch().fail(reporter.ticket(), cause);
  }

  private void checkFreshness(CheckpointId id, List<RegionImage> images) {
    Set<String> stale = freshness.check(id, images);
    if (!stale.isEmpty()) {
      context.observers().publish(new CairnEvent.Stale(id, member, stale));
    }
  }

  /** A checkpoint goes to the levels below DEVICE without having been there. */
  void begun(Promoted straight) {
    checkFreshness(straight.id(), straight.source().images());
    know(straight);
  }

  /** No level holds a checkpoint. */
  void forget(CheckpointId id) {
    synchronized (newest) {
      newest.removeIf(known -> known.captured().id().equals(id));
    }
  }

  /** Waits for the leased slots; the regions may be written only when the capture has landed. */
  private Leases settled(Capture capture, CachedCheckpoint slots, Reporter reporter, Promoted begun)
      throws InterruptedException {
    Optional<Sharing> sharing = context.sharing().get();
    if (sharing.isEmpty() || begun.leases().chunks() == 0) {
      return begun.leases();
    }
    try {
      return sharing
          .get()
          .settle(
              member,
              begun.leases(),
              slots,
              capture,
              why -> withdrawn(reporter.epoch(), reporter.ticket(), why));
    } catch (RuntimeException | Error e) {
      capture.abandon();
      throw e;
    }
  }

  /** A lender lost chunks of a captured checkpoint. */
  void withdrawn(EpochSession epoch, Ticket ticket, String reason) {
    CheckpointId id = ticket.id();
    context.observers().publish(new CairnEvent.Withdrawn(id, member, reason));
    ticket.report(() -> epoch.giveUp(id, Level.DEVICE, Why.FAILED, reason));
  }

  private void landed(CachedCheckpoint slots, Reporter reporter, Promoted captured) {
    fallBack.captured(captured.id());
    long bytes = captured.bytes();
    long blockedNanos = reporter.timing().blockedNanos();
    context
        .observers()
        .publish(new CairnEvent.Captured(captured.id(), member, bytes, blockedNanos));
    reporter.epoch().tickets().capture(reporter.ticket(), new Outcome.Captured(bytes));
    // known before it is held: the coordinator may answer that with an order to send it further
    know(captured);
    Timing timing = reporter.timing();
    holdAtDevice(slots, captured, timing.releasedNanos() - timing.stoppedNanos());
    context.promotion().promote(captured);
    releaseAtLenders(reporter.ticket(), captured);
  }

  private void know(Promoted captured) {
    synchronized (newest) {
      newest.addFirst(new Known(captured, new HashSet<>(captured.due())));
      if (newest.size() > KNOWN) {
        newest.removeLast();
      }
    }
  }

  /**
   * Lenders evict first what has a copy at the next level. Only what the whole group has there
   * counts: if another rank's copy fails, this rank's is of no use.
   */
  private static void releaseAtLenders(Ticket ticket, Promoted captured) {
    if (captured.leases().chunks() == 0 || captured.due().isEmpty()) {
      return;
    }
    var unused =
        ticket
            .sealed(Collections.min(captured.due()))
            .thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Sealed) {
                    captured.leases().parts().forEach(LeasedChunks::flushed);
                  }
                });
  }

  /** DEVICE holds it when every lender has verified its part; until then none may be evicted. */
  private void holdAtDevice(CachedCheckpoint slots, Promoted captured, long sinceNanos) {
    RankReporter reporter = captured.reporter();
    if (captured.leases().chunks() == 0) {
      reporter.held(Level.DEVICE, List.of());
      return;
    }
    Optional<Pin> pin = slots.pin();
    captured
        .leases()
        .announce()
        .whenComplete(
            (all, failure) -> {
              if (failure == null) {
                leased(captured, sinceNanos);
                reporter.held(Level.DEVICE, List.of());
              } else {
                LOG.warn("{} does not stay at DEVICE", captured.id(), failure);
                slots.discard();
                reporter.gaveUp(
                    Level.DEVICE, Why.FAILED, "a lender does not hold its part: " + failure);
              }
              pin.ifPresent(Pin::close);
            });
  }

  private void leased(Promoted captured, long sinceNanos) {
    long bytes = (long) captured.leases().chunks() * context.cache().chunkBytes();
    long nanos = context.nanoTime().getAsLong() - sinceNanos;
    context.observers().publish(new CairnEvent.Leased(captured.id(), member, bytes, nanos));
  }

  /**
   * The rank stops: the checkpoint that was captured last is the last one. It stays where it was
   * captured until {@link #goesOn}, since the levels below may ask for it late. Called by the
   * training thread.
   */
  void ending() {
    boolean unused = ending(known -> true);
  }

  /**
   * The training ends with a captured checkpoint; likewise.
   *
   * @return whether it is there
   */
  boolean ending(CheckpointId id) {
    return ending(known -> known.id().equals(id));
  }

  private boolean ending(Predicate<Promoted> which) {
    goesOn();
    Optional<Promoted> captured;
    synchronized (newest) {
      captured = newest.stream().map(Known::captured).filter(which).findFirst();
    }
    captured.ifPresent(each -> each.reporter().makeLast());
    last = captured.flatMap(each -> each.source().pin());
    return last.isPresent();
  }

  /** The training continues, or its end is over: the last checkpoint may be evicted. Likewise. */
  void goesOn() {
    last.ifPresent(Pin::close);
    last = Optional.empty();
  }

  /** The iteration that was captured last in an epoch; empty if none was. */
  OptionalLong newest(long epoch) {
    synchronized (newest) {
      return newest.stream()
          .map(known -> known.captured().id())
          .filter(id -> id.epoch() == epoch)
          .mapToLong(CheckpointId::iteration)
          .max();
    }
  }

  /**
   * Sends a captured checkpoint to every level that it was not sent to; see {@link #send}. A rank
   * on its own, which may have run on meanwhile, sends its newest one if that is forgotten.
   *
   * @return false if there is none to send
   */
  private boolean rescue(CheckpointId id, Tickets tickets) {
    if (send(id, context.promotion().levels(), tickets, true)) {
      return true;
    }
    OptionalLong own = member.size() == 1 ? newest(id.epoch()) : OptionalLong.empty();
    return own.isPresent()
        && send(
            new CheckpointId(id.group(), id.epoch(), own.getAsLong()),
            context.promotion().levels(),
            tickets,
            true);
  }

  /**
   * Sends a captured checkpoint to those of these levels that it was not sent to.
   *
   * @param tickets of the checkpoint's epoch
   * @return false if the checkpoint is not known any more
   */
  private boolean send(CheckpointId id, Set<Level> levels, Tickets tickets, boolean ending) {
    Optional<Known> known;
    Set<Level> missing = new HashSet<>(levels);
    synchronized (newest) {
      known = newest.stream().filter(entry -> entry.captured().id().equals(id)).findFirst();
      missing.retainAll(context.promotion().levels());
      known.ifPresent(entry -> missing.removeAll(entry.sent()));
      known.ifPresent(entry -> entry.sent().addAll(missing));
    }
    tickets.rescue(id, known.isPresent() ? missing : Set.of());
    Level committed = LevelSpec.committed();
    if (ending && known.filter(it -> it.captured().reporter().again(committed)).isPresent()) {
      missing.add(committed);
    }
    if (known.isPresent() && !missing.isEmpty()) {
      LOG.debug("{} is sent to {} before its time", id, missing);
      context.promotion().promote(known.get().captured().dueAt(missing, ending));
    }
    return known.isPresent();
  }

  /** Sends the last checkpoint to STORE, which no order does; on the training thread. */
  void sendLast(CheckpointId id, Tickets tickets) {
    boolean unused = send(id, Set.of(LevelSpec.committed()), tickets, true);
  }

  /**
   * Asks the coordinator to send the group's newest checkpoint to every level.
   *
   * @return completes when it answered, or this rank ended
   */
  CompletableFuture<@Nullable Void> ask(Membership membership, MemberMessage request) {
    CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
    asked.add(answer);
    membership.send(request);
    return answer;
  }

  /** The coordinator answered, or this rank ended and no answer comes any more. */
  void answered() {
    asked.forEach(answer -> answer.complete(null));
  }

  /**
   * Handles a message about checkpoints, on the coordination's thread. Carries orders out.
   *
   * @param tickets of the epoch that received it
   * @param current the rank's epoch, once it has entered one
   */
  void receive(CoordinatorMessage message, Tickets tickets, Supplier<EpochSession> current) {
    if (message instanceof CoordinatorMessage.Rescue rescue) {
      rescue(rescue, tickets, current.get());
    } else if (message instanceof CoordinatorMessage.Promote promote) {
      promote(promote, tickets, current.get());
    } else {
      tickets.receive(message);
    }
  }

  private void rescue(CoordinatorMessage.Rescue rescue, Tickets tickets, EpochSession epoch) {
    if (rescue.iteration() >= 0) {
      CheckpointId id = new CheckpointId(member.group(), rescue.epoch(), rescue.iteration());
      if (!rescue(id, tickets)) {
        giveUp(id, context.promotion().levels(), tickets, epoch);
      }
    }
    answered();
  }

  /** Comes after a capture, so this member has agreed where its epoch starts. */
  private void promote(CoordinatorMessage.Promote promote, Tickets tickets, EpochSession epoch) {
    CheckpointId id = new CheckpointId(member.group(), promote.epoch(), promote.iteration());
    boolean current = epoch.membership().epoch() == id.epoch();
    boolean ahead = current && epoch.membership().cadence().order(id.iteration(), promote.levels());
    if (!ahead && !send(id, promote.levels(), tickets, false)) {
      giveUp(id, promote.levels(), tickets, epoch);
    }
  }

  /** The other ranks would wait for a checkpoint that this one cannot send any more. */
  private static void giveUp(
      CheckpointId id, Set<Level> levels, Tickets tickets, EpochSession epoch) {
    if (epoch.membership().epoch() == id.epoch()) {
      levels.stream()
          .filter(level -> !tickets.isOnTheWay(id, level))
          .forEach(level -> epoch.giveUp(id, level, Why.SKIPPED, "it is not at DEVICE any more"));
    }
  }
}
