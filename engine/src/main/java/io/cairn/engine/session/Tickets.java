package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorMessage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The open tickets of one rank in one epoch. Settles them by the coordinator's messages, and
 * publishes each settlement once. Thread-safe.
 */
final class Tickets {
  private static final int MAX_EARLY = 4096;

  /** Of one iteration at one level: a second round is the last. */
  private static final int MAX_ROUNDS = 2;

  /** More than the levels of the checkpoints that a rank remembers. */
  private static final int MAX_IN_VAIN = 64;

  private static final Set<Level> BELOW_DEVICE = Level.where(level -> level != Level.DEVICE);

  private final SessionContext context;
  private final Member member;
  private final Map<Long, Ticket> open = new ConcurrentSkipListMap<>();

  /**
   * Outcomes of iterations that this rank has not opened yet, and others have: of their first round
   * of reports, and, for a last iteration that is captured again, of their second. Bounded.
   */
  private final NavigableMap<Long, List<CoordinatorMessage.Settled>> early = new TreeMap<>();

  /** The number of open tickets that each level below DEVICE has not settled. */
  private final Map<Level, AtomicInteger> unsettled = new EnumMap<>(Level.class);

  private record Rescued(CheckpointId id, Level level) implements Comparable<Rescued> {
    @Override
    public int compareTo(Rescued other) {
      int byId = id.compareTo(other.id);
      return byId != 0 ? byId : level.compareTo(other.level);
    }
  }

  private final Map<Rescued, CompletableFuture<Outcome>> rescued = new ConcurrentHashMap<>();

  /** Open rescues that a thread settles. */
  private final Set<Rescued> settling = ConcurrentHashMap.newKeySet();

  /** The newest rescues that the group gave up, and may order again. Bounded. */
  private final NavigableSet<Rescued> inVain = new ConcurrentSkipListSet<>();

  private long newest = -1;
  private final AtomicLong newestAtDevice = new AtomicLong(-1);
  private final AtomicLong newestAtStore = new AtomicLong(-1);

  /** The newest iteration that failed at STORE, unless its last try ended otherwise; else -1. */
  private final AtomicLong failedAtStore = new AtomicLong(-1);

  private volatile boolean abandoned;

  Tickets(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    BELOW_DEVICE.forEach(level -> unsettled.put(level, new AtomicInteger()));
  }

  Ticket open(CheckpointId id, FollowedCadence.Due due) {
    Ticket ticket = new Ticket(id, due, context.nanoTime().getAsLong());
    unsettled.values().forEach(AtomicInteger::incrementAndGet);
    List<CoordinatorMessage.Settled> before = List.of();
    synchronized (early) {
      open.put(id.iteration(), ticket);
      newest = id.iteration();
      if (!early.isEmpty()) {
        before = early.getOrDefault(id.iteration(), List.of());
        early.headMap(id.iteration(), true).clear();
      }
    }
    before.forEach(this::settle);
    return ticket;
  }

  /** An outcome that the open ticket does not take is kept for the ticket that is opened next. */
  private void settle(CoordinatorMessage.Settled settled) {
    synchronized (early) {
      Ticket ticket = open.get(settled.iteration());
      if (ticket == null || ticket.isClaimed(settled.level())) {
        if (settled.iteration() >= newest) {
          keep(settled, early.computeIfAbsent(settled.iteration(), i -> new ArrayList<>()));
          if (early.size() > MAX_EARLY) {
            early.pollLastEntry();
          }
        }
        return;
      }
    }
    CheckpointId id = new CheckpointId(member.group(), settled.epoch(), settled.iteration());
    settle(id, settled.level(), settled.outcome());
  }

  private static void keep(
      CoordinatorMessage.Settled settled, List<CoordinatorMessage.Settled> ofIteration) {
    long rounds = ofIteration.stream().filter(one -> one.level() == settled.level()).count();
    if (rounds < MAX_ROUNDS) {
      ofIteration.add(settled);
    }
  }

  /**
   * Notes that a checkpoint is sent to levels that its ticket settled as not due or given up. An
   * order that is repeated adds nothing: a level settles a rescue once.
   */
  void rescue(CheckpointId id, Set<Level> levels) {
    for (Level level : levels) {
      if (!LevelSpec.of(level).isCommitted() || newestAtStore.get() < id.iteration()) {
        Rescued again = new Rescued(id, level);
        inVain.remove(again);
        rescued.computeIfAbsent(again, open -> new CompletableFuture<>());
      }
    }
  }

  /** Whether a checkpoint is on its way to a level that it was not due at. */
  boolean isRescued(CheckpointId id, Level level) {
    return rescued.containsKey(new Rescued(id, level));
  }

  /** Whether the group gave up to bring a checkpoint to a level that it was not due at. */
  boolean isRescuedInVain(CheckpointId id, Level level) {
    return inVain.contains(new Rescued(id, level));
  }

  /** Whether a checkpoint is on its way to a level, be it due there or sent there later. */
  boolean isOnTheWay(CheckpointId id, Level level) {
    Ticket ticket = open.get(id.iteration());
    boolean due = ticket != null && ticket.due(level) && ticket.outcome(level).isEmpty();
    return due || isRescued(id, level);
  }

  /** The levels below DEVICE that checkpoints are on their way to. */
  Set<Level> onTheWay() {
    return Level.where(
        level -> {
          AtomicInteger waiting = unsettled.get(level);
          return waiting != null && waiting.get() > 0;
        });
  }

  /** Handles a message about checkpoints. */
  void receive(CoordinatorMessage message) {
    if (message instanceof CoordinatorMessage.Settled settled) {
      CheckpointId id = new CheckpointId(member.group(), settled.epoch(), settled.iteration());
      Rescued order = new Rescued(id, settled.level());
      if (settled.outcome().equals(new Outcome.Sealed(Level.DEVICE))) {
        newestAtDevice.accumulateAndGet(id.iteration(), Math::max);
      }
      if (rescued.containsKey(order)) {
        noteIfInVain(order, settled.outcome());
        settle(order, settled.outcome());
      } else {
        settle(settled);
      }
      if (!(settled.outcome() instanceof Outcome.Sealed)) {
        context.promotion().giveUp(id, member.rank(), settled.level());
      }
    } else if (message instanceof CoordinatorMessage.Fenced fenced) {
      fence(fenced.reason());
    } else {
      throw new IllegalArgumentException("no message about checkpoints: " + message);
    }
  }

  private void noteIfInVain(Rescued order, Outcome outcome) {
    if (!(outcome instanceof Outcome.Sealed)) {
      inVain.add(order);
      if (inVain.size() > MAX_IN_VAIN) {
        inVain.pollFirst();
      }
    }
  }

  /** A rescue stays open until it is counted, so that a rank which ends meanwhile waits for it. */
  private void settle(Rescued order, Outcome outcome) {
    CompletableFuture<Outcome> open = rescued.get(order);
    if (open != null && settling.add(order)) {
      try {
        onSettled(order.id(), order.level(), outcome);
      } finally {
        rescued.remove(order);
        settling.remove(order);
        open.complete(outcome);
      }
    }
  }

  void settle(CheckpointId id, Level level, Outcome outcome) {
    Ticket ticket = open.get(id.iteration());
    if (ticket == null || !ticket.claim(level)) {
      return;
    }
    AtomicInteger waiting = unsettled.get(level);
    if (waiting != null) {
      waiting.decrementAndGet();
    }
    // first, so that a thread that waits for the ticket finds the outcome counted
    onSettled(id, level, outcome);
    ticket.settle(level, outcome);
    removeIfDone(ticket);
  }

  /** Reports a level's outcome, whether the level was due or the checkpoint was rescued. */
  private void onSettled(CheckpointId id, Level level, Outcome outcome) {
    if (outcome instanceof Outcome.Sealed) {
      context.cache().sealed(id, level);
    }
    if (LevelSpec.of(level).isCommitted()) {
      if (outcome instanceof Outcome.Failed) {
        failedAtStore.accumulateAndGet(id.iteration(), Math::max);
      } else {
        var unused = failedAtStore.compareAndSet(id.iteration(), -1);
      }
      if (outcome instanceof Outcome.Sealed) {
        newestAtStore.accumulateAndGet(id.iteration(), Math::max);
      }
    }
    context.observers().publish(new CairnEvent.Settled(id, member, level, outcome));
    context.promotion().onSettled(id, member.rank(), level, outcome);
  }

  /** Settles a capture that the caller claimed. */
  void capture(Ticket ticket, Outcome outcome) {
    ticket.capture(outcome);
    removeIfDone(ticket);
  }

  /**
   * Copies of a checkpoint that the group gave up are dropped. An abandoned ticket proves nothing
   * of the kind: the group may have sealed the checkpoint, and this process did not read that.
   */
  private void removeIfDone(Ticket ticket) {
    synchronized (ticket) {
      boolean over = ticket.done() && open.remove(ticket.id().iteration(), ticket);
      if (over && !abandoned && ticket.wentBelow()) {
        for (Level level : ticket.due()) {
          Outcome outcome = ticket.outcome(level).orElseThrow();
          if (isGivenUp(outcome)) {
            context.promotion().drop(ticket.id(), level);
          }
        }
      }
    }
  }

  private static boolean isGivenUp(Outcome outcome) {
    return outcome instanceof Outcome.Skipped
        || outcome instanceof Outcome.Failed
        || outcome instanceof Outcome.NotDue; // the group found out when it was on its way
  }

  /** Forgets a settled ticket, whose copies are dropped before this returns or not at all. */
  void forget(Ticket settled) {
    synchronized (settled) {
      open.remove(settled.id().iteration(), settled);
    }
  }

  /** Settles all open tickets, since a later epoch exists. A copy under way lands all the same. */
  void fence(String reason) {
    settleRest(new Outcome.Fenced(reason));
  }

  /**
   * Settles all open tickets, since this process will not receive their outcomes. Drops no copy.
   */
  void abandon(String reason) {
    abandoned = true;
    settleRest(new Outcome.Failed(reason));
  }

  private void settleRest(Outcome outcome) {
    // else the levels that they are read from would keep them for good
    List.copyOf(rescued.keySet()).forEach(order -> settle(order, outcome));
    for (Ticket ticket : List.copyOf(open.values())) {
      if (ticket.claimCapture()) {
        capture(ticket, outcome);
      }
      for (Level level : Level.values()) {
        settle(ticket.id(), level, outcome);
      }
    }
  }

  /** Whether this process settled the tickets by itself. */
  boolean isAbandoned() {
    return abandoned;
  }

  /** Completes when every ticket that is open now, and every rescue, is settled. */
  CompletableFuture<Void> all() {
    Stream<CompletableFuture<Outcome>> due =
        open.values().stream().flatMap(ticket -> Stream.of(Level.values()).map(ticket::sealed));
    return CompletableFuture.allOf(
        Stream.concat(due, rescued.values().stream()).toArray(CompletableFuture<?>[]::new));
  }

  /** The newest iteration of this epoch that a ticket was opened for; -1 before the first. */
  long newest() {
    synchronized (early) {
      return newest;
    }
  }

  /** By level, how long the oldest checkpoint has waited that is due there and not settled. */
  Map<Level, Long> waitingNanos() {
    long now = context.nanoTime().getAsLong();
    Map<Level, Long> waiting = new EnumMap<>(Level.class);
    for (Ticket ticket : open.values()) { // the oldest one first
      for (Level level : ticket.due()) {
        if (ticket.outcome(level).isEmpty()) {
          waiting.putIfAbsent(level, now - ticket.openedNanos());
        }
      }
    }
    return waiting;
  }

  /**
   * The newest iteration of this epoch that the group sealed at DEVICE; -1 if none was. Also one
   * whose ticket says otherwise, since a rank captured it again.
   */
  long newestAtDevice() {
    return newestAtDevice.get();
  }

  /** The newest iteration of this epoch that was sealed at STORE; -1 if none was. */
  long newestAtStore() {
    return newestAtStore.get();
  }

  /** Whether the newest try to bring an iteration to STORE failed. */
  boolean hasFailedAtStore(long iteration) {
    return failedAtStore.get() == iteration && newestAtStore() < iteration;
  }

  /** The number of checkpoints that are not settled at every level. */
  int unsettled() {
    return open.size() + rescued.size();
  }
}
