package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.SearchCadence;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The carrier of a coordinator. Messages to the coordinator get lost, arrive twice, late and in any
 * order. Messages from it arrive in order, unless the receiver is gone. Epochs are taken and
 * manifests committed at some later moment, one after the other.
 */
final class SimulatedGroup {
  /** Ways to be wrong that {@link GroupTruth} must notice. */
  enum Mutation {
    /** Messages of old epochs are stamped with the current one. */
    STAMPS_THE_CURRENT_EPOCH,
    /** A rank approves what it could not read. */
    APPROVES_ALL,
    /** Each resent join looks like a new one. */
    RESENT_JOINS_LOOK_NEW,
    /** Every rank says that it learned of a plan in time. */
    EVERY_PLAN_IS_IN_TIME
  }

  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);
  private static final CadencePolicy POLICY =
      CadencePolicy.adaptive(AdaptiveSettings.defaults(LEVELS), CadencePlan.every(1, 2, 4));

  /** Short enough to expire while a rank is stopped. */
  private static final Duration JOIN_TIMEOUT = Duration.ofMillis(600);

  final int size;
  final VirtualTime time;
  final Random random;
  final GroupTruth truth;
  private final Set<Mutation> broken;
  private final GroupCoordinator coordinator;
  private final List<SimulatedRank> attempts = new ArrayList<>();
  private final Map<String, Deque<CoordinatorMessage>> mail = new HashMap<>();
  private final Map<CheckpointId, Candidate> published = new TreeMap<>();
  private final Deque<CommitManifest> commits = new ArrayDeque<>();
  private boolean faulty = true;
  private long highestEpoch;
  private long renamed;

  SimulatedGroup(int size, VirtualTime time, Random random, Set<Mutation> broken) {
    this.size = size;
    this.time = time;
    this.random = random;
    this.broken = broken;
    this.truth = new GroupTruth(size);
    this.coordinator = new GroupCoordinator(Paths.GROUP, size, POLICY, JOIN_TIMEOUT);
  }

  /** From now on nothing fails, except for what is under way. */
  void endFaults() {
    faulty = false;
  }

  List<SimulatedRank> attempts() {
    return attempts;
  }

  /** The latest attempt of a rank. */
  Optional<SimulatedRank> latest(int rank) {
    return attempts.stream().filter(a -> a.rank == rank).reduce((older, newer) -> newer);
  }

  void startAttempt(int rank) {
    SimulatedRank attempt = new SimulatedRank(rank, "r" + rank + "-" + attempts.size(), this);
    attempts.add(attempt);
    truth.born(rank, attempt.incarnation);
    time.note(attempt.incarnation, "starts");
    attempt.start();
  }

  /** A rank's message on its way to the coordinator. */
  void send(SimulatedRank from, MemberMessage message) {
    if (faulty && random.nextInt(8) == 0) {
      return;
    }
    int copies = faulty && random.nextInt(8) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean late = faulty && random.nextInt(12) == 0;
      time.after(1 + random.nextLong(late ? 2_500 : 15), () -> arrive(from, message));
    }
  }

  private void arrive(SimulatedRank from, MemberMessage message) {
    MemberMessage as = message;
    if (broken.contains(Mutation.STAMPS_THE_CURRENT_EPOCH)
        && message instanceof MemberMessage.Held held) {
      as =
          new MemberMessage.Held(
              held.rank(),
              coordinator.epoch(),
              held.iteration(),
              held.level(),
              held.containers(),
              held.measured());
    } else if (broken.contains(Mutation.EVERY_PLAN_IS_IN_TIME)
        && message instanceof MemberMessage.CadenceVote vote) {
      as = new MemberMessage.CadenceVote(vote.rank(), vote.epoch(), vote.version(), true);
    } else if (broken.contains(Mutation.RESENT_JOINS_LOOK_NEW)
        && message instanceof MemberMessage.Join join) {
      as =
          new MemberMessage.Join(
              join.rank(), join.size(), join.incarnation() + "+" + renamed++, join.origin());
    } else if (message instanceof MemberMessage.Join) {
      truth.joinArrives(from.rank, from.incarnation);
    }
    on(as);
  }

  private void on(CoordinatorEvent event) {
    time.note("to", event.toString());
    coordinator.on(event, time.nowMillis() * 1_000_000).forEach(this::carryOut);
  }

  private void carryOut(CoordinatorAction action) {
    if (action instanceof Send send) {
      send(send);
    } else if (action instanceof CommitManifest commit) {
      truth.commits(commit.manifest());
      commits.addLast(commit);
      if (commits.size() == 1) {
        time.after(1 + random.nextLong(200), this::endCommit);
      }
    } else if (action instanceof SearchCadence asked) {
      time.after(1 + random.nextLong(100), () -> endSearch(asked.search()));
    } else if (action instanceof CoordinatorAction.ClaimEpoch) {
      time.after(1 + random.nextLong(150), this::claim);
    } else if (action instanceof CoordinatorAction.TakeLater later) {
      CoordinatorEvent stays = new CoordinatorEvent.EpochStays(later.instead());
      time.after(1 + random.nextLong(150), () -> on(stays));
    } else if (action instanceof CoordinatorAction.Remind remind) {
      time.after(1 + remind.afterNanos() / 1_000_000, () -> on(new CoordinatorEvent.Reminded()));
    }
  }

  /** Finds any periods: that they are good ones is shown elsewhere. */
  private void endSearch(CadenceSearch search) {
    long device = 1 + random.nextLong(2);
    long node = device * (1 + random.nextLong(3));
    CadencePlan plan = CadencePlan.every(device, node, node * (1 + random.nextLong(3)));
    boolean better = random.nextInt(10) > 0;
    on(
        new CoordinatorEvent.CadenceFound(
            search,
            new CadenceSearch.Found(0.1, better ? Optional.of(plan.periods()) : Optional.empty()),
            0));
  }

  private void claim() {
    if (faulty && random.nextInt(10) == 0) {
      on(new CoordinatorEvent.EpochRefused("the store does not answer"));
    } else {
      highestEpoch += 1 + random.nextInt(2);
      truth.taken(highestEpoch);
      on(new CoordinatorEvent.EpochTaken(highestEpoch));
    }
  }

  /** Another application takes an epoch of this group. */
  void supersede() {
    long over = highestEpoch++;
    truth.superseded();
    on(new CoordinatorEvent.Superseded(over, "another run took epoch " + highestEpoch));
  }

  private void endCommit() {
    CheckpointManifest manifest = commits.removeFirst().manifest();
    Digest digest = Digest.of(manifest.toString().getBytes(StandardCharsets.UTF_8));
    int luck = faulty ? random.nextInt(10) : 9;
    CommitOutcome outcome =
        luck == 0
            ? new CommitOutcome.Failed("the store refused")
            : luck == 1 ? new CommitOutcome.Unknown("no answer") : new CommitOutcome.Committed();
    if (luck > 1 || (luck == 1 && random.nextBoolean())) {
      published.put(manifest.id(), new Candidate(manifest.id(), digest, manifest.ancestry()));
    }
    truth.committed(manifest.id(), outcome);
    on(new CoordinatorEvent.CommitEnded(manifest.id(), digest, outcome));
    if (!commits.isEmpty()) {
      time.after(1 + random.nextLong(200), this::endCommit);
    }
  }

  private void send(Send send) {
    truth.sent(send, coordinator.epoch());
    mail.computeIfAbsent(send.incarnation(), k -> new ArrayDeque<>()).addLast(send.message());
    attempts.stream()
        .filter(attempt -> attempt.incarnation.equals(send.incarnation()))
        .forEach(attempt -> time.after(1 + random.nextLong(15), () -> deliver(attempt)));
  }

  /** Hands over what waits for an attempt, in order. */
  void deliver(SimulatedRank attempt) {
    Deque<CoordinatorMessage> box =
        mail.computeIfAbsent(attempt.incarnation, k -> new ArrayDeque<>());
    while (attempt.alive() && !attempt.stopped() && !box.isEmpty()) {
      CoordinatorMessage message = box.removeFirst();
      time.note(attempt.incarnation, "gets " + message);
      attempt.on(message);
    }
  }

  /** The checkpoints of which a rank can read its part: not always all that were published. */
  List<Candidate> offered(SimulatedRank attempt, long epoch) {
    Map<CheckpointId, Ancestry> ancestries = new TreeMap<>();
    published.forEach((id, candidate) -> ancestries.put(id, candidate.ancestry()));
    List<Candidate> offer = new ArrayList<>();
    for (CheckpointId id : Lineage.alive(ancestries)) {
      boolean reachable = !faulty || random.nextInt(8) > 0;
      Candidate candidate = published.get(id);
      if (reachable && candidate != null) {
        offer.add(candidate);
      }
    }
    truth.offers(epoch, attempt.rank, offer);
    return offer;
  }

  /** Why a rank cannot read a checkpoint; empty if it can. */
  String refusal(SimulatedRank attempt, CheckpointId id) {
    boolean damaged = faulty && random.nextInt(8) == 0;
    truth.verified(attempt.incarnation, id, !damaged);
    return damaged && !broken.contains(Mutation.APPROVES_ALL) ? "a checksum differs" : "";
  }
}
