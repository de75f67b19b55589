package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.protocol.Standing;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a rank in one epoch: it joins, and exchanges messages with the coordinator.
 * Messages about checkpoints are passed on as they arrive; answers that the rank waits for are
 * taken with {@link #next()}. Sending is thread-safe; joining and waiting belong to the training
 * thread.
 */
public final class Membership implements AutoCloseable {
  private static final long POLL_MILLIS = 50;

  private final Member member;
  private final String incarnation;
  private final Runnable interruption;
  private final Waits waits;
  private final Silence silence;
  private final BlockingQueue<CoordinatorMessage> answers = new LinkedBlockingQueue<>();
  private final Coordination.Link link;
  private final Consumer<CoordinatorMessage> aside;
  private Optional<RankSurvey> atStore;
  private final Optional<NodeSeal.Copy> atNode;
  private volatile @Nullable Began began;
  private volatile @Nullable String fencedBecause;

  /** An epoch of this membership, and the cadence that its ranks follow. */
  private record Began(long epoch, FollowedCadence cadence, Standing standing) {}

  /**
   * Joins, waiting until every rank of the group has.
   *
   * @param origin what this rank knows of its group
   * @param aside receives {@code Settled}, {@code Rescue}, {@code Promote}, {@code Claimed} and
   *     {@code Fenced} messages on the coordination's thread
   * @param interruption throws if the training thread must stop waiting
   * @param waits how it waits
   * @param joinTimeout how long it waits for a coordinator that does not answer
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws RestoreException if the coordinator rejects the rank or does not answer, or a later
   *     attempt fences the rank
   */
  public Membership(
      Coordination coordination,
      Member member,
      Origin origin,
      Runnable interruption,
      Waits waits,
      Duration joinTimeout,
      LongSupplier nanoTime,
      Consumer<CoordinatorMessage> aside) {
    this.member = member;
    this.interruption = interruption;
    this.waits = waits;
    this.aside = aside;
    this.silence = new Silence(joinTimeout, nanoTime);
    this.incarnation = UUID.randomUUID().toString();
    this.link = coordination.connect(member, incarnation, this::receive);
    boolean done = false;
    try {
      link.send(new MemberMessage.Join(member.rank(), member.size(), incarnation, origin));
      CoordinatorMessage answer = next();
      if (!(answer instanceof CoordinatorMessage.Joined welcome)) {
        throw new IllegalStateException(
            member + " received " + answer + " as the answer to its join");
      }
      this.atStore = welcome.atStore();
      this.atNode = welcome.atNode();
      done = true;
    } finally {
      if (!done) {
        withdraw(false);
        link.close();
      }
    }
  }

  private void receive(CoordinatorMessage message) {
    if (message instanceof CoordinatorMessage.Fenced fenced) {
      fencedBecause = fenced.reason();
      aside.accept(message);
    } else if (message instanceof CoordinatorMessage.Settled
        || message instanceof CoordinatorMessage.Rescue
        || message instanceof CoordinatorMessage.Promote) {
      aside.accept(message);
    } else if (message instanceof CoordinatorMessage.CadencePlanned planned) {
      long version = planned.plan().version();
      boolean inTime = cadence().plan(planned.plan());
      link.send(new MemberMessage.CadenceVote(member.rank(), planned.epoch(), version, inTime));
    } else if (message instanceof CoordinatorMessage.CadenceDecided decided) {
      cadence().decided(decided.version(), decided.adopted());
    } else if (message instanceof CoordinatorMessage.Claimed claimed) {
      if (claimed.epoch() == epoch()) {
        claimed(began());
        aside.accept(message);
      }
    } else if (message instanceof CoordinatorMessage.Joined welcome) {
      begin(welcome);
      answers.add(message);
    } else if (message instanceof CoordinatorMessage.Refused
        || message instanceof CoordinatorMessage.Verify
        || message instanceof CoordinatorMessage.Resume) {
      answers.add(message);
    } else {
      throw new IllegalArgumentException("no known message: " + message);
    }
  }

  /** The same epoch may be sent again; a later one takes its place before the group has agreed. */
  private void begin(CoordinatorMessage.Joined welcome) {
    Began known = began;
    if (known == null || known.epoch() != welcome.epoch()) {
      began =
          new Began(welcome.epoch(), new FollowedCadence(welcome.cadence()), welcome.standing());
    } else if (welcome.standing().claimed()) {
      claimed(known);
    }
  }

  private void claimed(Began known) {
    began = new Began(known.epoch(), known.cadence(), known.standing().asClaimed());
  }

  private Began began() {
    Began known = began;
    if (known == null) {
      throw new IllegalStateException(member + " has not joined");
    }
    return known;
  }

  /** The epoch of this membership. A later one may take its place before the group has agreed. */
  public long epoch() {
    return began().epoch();
  }

  /** How that epoch stands at STORE. Thread-safe. */
  public Standing standing() {
    return began().standing();
  }

  /**
   * The coordinator's survey of STORE, once: it shows what was there when the epoch began. Empty if
   * there is none.
   */
  public Optional<RankSurvey> takeSurvey() {
    Optional<RankSurvey> taken = atStore;
    atStore = Optional.empty();
    return taken;
  }

  /** The rank's newest copy at NODE that the group knew when the epoch began. */
  public Optional<NodeSeal.Copy> atNode() {
    return atNode;
  }

  /** The group's cadence in this epoch. */
  public FollowedCadence cadence() {
    return began().cadence();
  }

  /** The reason why this member is fenced, or null while it is not. */
  public @Nullable String fencedBecause() {
    return fencedBecause;
  }

  /** Whether it is known that nobody coordinates now. Thread-safe. */
  public boolean isAbandoned() {
    return link.isAbandoned();
  }

  /** Fences this member, since a later epoch was found elsewhere. Thread-safe. */
  public void fence(String reason) {
    receive(new CoordinatorMessage.Fenced(reason));
  }

  /** The measurements of the group's cadence; empty if another process coordinates it. */
  public Optional<Learned> learned() {
    return link.learned();
  }

  /**
   * This rank is about to vote for a checkpoint with these entries. A coordinator in this process,
   * which may have died with the rank, takes its measurements from them.
   */
  public void recall(CheckpointId from, Fingerprint written) {
    boolean ended = GoodputEntries.in(written).map(GoodputRecord::ended).orElse(false);
    LearnedEntries.in(written).ifPresent(learned -> link.recall(learned, from, ended));
  }

  /** Sends without waiting. */
  public void send(MemberMessage message) {
    link.send(message);
  }

  /**
   * Gives this membership up, in whatever epoch the coordinator has it: a later one may have begun
   * whose first message has not come here.
   *
   * @param failed whether the restore failed, so that no other rank waits for another try
   */
  public void withdraw(boolean failed) {
    link.send(new MemberMessage.Withdraw(member.rank(), incarnation, failed));
  }

  /**
   * Waits for a time.
   *
   * @throws CancellationException if the rank was cancelled or the thread interrupted
   */
  public void pause(long millis) {
    interruption.run();
    try {
      waits.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException(member + " was interrupted while it waited for a store");
    }
    interruption.run();
  }

  /**
   * Waits for the next answer.
   *
   * @throws RestoreException if this member was rejected or fenced meanwhile, or no coordinator
   *     answers for {@code joinTimeout}
   * @throws CancellationException if the thread was interrupted
   */
  public CoordinatorMessage next() {
    silence.begin();
    try {
      while (true) {
        interruption.run();
        String fenced = fencedBecause;
        if (fenced != null && answers.isEmpty()) { // those that came before it still count
          throw new RestoreException(member + " is fenced: " + fenced);
        }
        silence.requireShort(member, link.trouble());
        CoordinatorMessage answer = waits.poll(answers, POLL_MILLIS);
        if (answer instanceof CoordinatorMessage.Refused refused) {
          throw new RestoreException(member + " cannot join: " + refused.reason());
        } else if (answer != null) {
          return answer;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException(member + " was interrupted while it waited for its group")
              .initCause(e);
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
