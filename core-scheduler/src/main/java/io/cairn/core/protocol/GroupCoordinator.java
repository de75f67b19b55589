package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.WorkAtRisk;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.MarkEnd;
import io.cairn.core.protocol.CoordinatorAction.ReportCadence;
import io.cairn.core.protocol.CoordinatorAction.SearchCadence;
import io.cairn.core.protocol.CoordinatorEvent.BirthFound;
import io.cairn.core.protocol.CoordinatorEvent.CadenceFound;
import io.cairn.core.protocol.CoordinatorEvent.ClaimEnded;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.CoordinatorEvent.EpochRefused;
import io.cairn.core.protocol.CoordinatorEvent.EpochStays;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.LaterEpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.LookAtWaits;
import io.cairn.core.protocol.CoordinatorEvent.NodeSealFound;
import io.cairn.core.protocol.CoordinatorEvent.Recalled;
import io.cairn.core.protocol.CoordinatorEvent.Remembered;
import io.cairn.core.protocol.CoordinatorEvent.Reminded;
import io.cairn.core.protocol.CoordinatorEvent.Superseded;
import io.cairn.core.protocol.MemberMessage.Again;
import io.cairn.core.protocol.MemberMessage.CadenceVote;
import io.cairn.core.protocol.MemberMessage.Endangered;
import io.cairn.core.protocol.MemberMessage.Ending;
import io.cairn.core.protocol.MemberMessage.GaveUp;
import io.cairn.core.protocol.MemberMessage.Held;
import io.cairn.core.protocol.MemberMessage.Join;
import io.cairn.core.protocol.MemberMessage.Leave;
import io.cairn.core.protocol.MemberMessage.Offer;
import io.cairn.core.protocol.MemberMessage.Vote;
import io.cairn.core.protocol.MemberMessage.Withdraw;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides for one group: the begin of an epoch, its members, and the checkpoint that all ranks
 * resume from. It also decides the seals at each level and the commits at STORE. A group of one
 * rank follows the same rules.
 *
 * <p>The coordinator does no I/O and has neither clock nor threads. It computes for a short time
 * only: a search for a cadence is an action. Not thread-safe: {@link #on} must be called by one
 * thread at a time.
 */
public final class GroupCoordinator {
  /*
   * Epochs
   *
   * An epoch begins when every rank has a join waiting. A join during an epoch ends that epoch for
   * all of its members: with a rank lost, the group can seal nothing more, and all ranks have to
   * roll back together. Until the group has agreed where to resume from, nothing is to be rolled
   * back: then the other members wait for the next epoch, as if they had just joined. So they do if
   * a rank leaves before the agreement, unless its restore failed. A join that found another birth
   * of the group is set aside until the carrier has looked at STORE: a rank with another store is
   * refused alone. Of two joins of one rank the later one counts, so a retry, a speculative twin
   * and a zombie are one case. A join that arrives again after its member ended changes nothing.
   *
   * Messages
   *
   * A message to the coordinator may arrive twice, late or not at all; one of an older epoch is
   * ignored. The carrier delivers the coordinator's messages to an incarnation in order, unless
   * that incarnation is gone, and keeps them until they are fetched.
   *
   * Delegation
   *
   * Roster: members and waiting joins. Gathering: the wait for missing ranks. EpochStart: the
   * checkpoint to resume from. EpochSeals: seals and commits. EpochEnd: the last checkpoint.
   * GroupCadence: the cadence. NodeMemory: the newest seal at NODE. LateClaim: the claim of an
   * epoch that began without one. All but the first two and the memory decide for one epoch; the
   * coordinator checks membership before it passes a message on, and sends their decisions.
   */

  private final GroupId group;
  private final int size;
  private final GroupCadence cadence;
  private final NodeMemory atNode;
  private final Roster roster;
  private final ActionList actions = new ActionList();
  private final Gathering gathering;
  private final EpochSeals.Decisions decisions =
      new EpochSeals.Decisions() {
        @Override
        public void settled(Seals.Key key, Outcome outcome) {
          settle(key, outcome);
        }

        @Override
        public void commit(CheckpointManifest manifest) {
          actions.add(new CommitManifest(manifest, cadence.learned()));
        }
      };

  private long epoch;

  /** Whether the group may have sealed a checkpoint above DEVICE. */
  private boolean anySealed;

  private EpochStart start;
  private LateClaim claim;
  private EpochSeals seals;
  private SealWatch waits;
  private EpochEnd end;

  /** The iteration that all members were told to send on last; -1 if none. */
  private long rescued = -1;

  private long nowNanos;

  /** When the last epoch ended; empty before the first end, and once the group has resumed. */
  private OptionalLong lostNanos = OptionalLong.empty();

  /** The last checkpoint of a training that ended in order, as STORE knows it. */
  private Optional<CheckpointId> lastEnd = Optional.empty();

  /** Whether an earlier coordinator's training failed, and the group has not resumed since. */
  private boolean failedBefore;

  /**
   * Creates the coordinator of a group of {@code size} ranks, none of which has joined.
   *
   * @param joinTimeout wait for missing ranks, after the last join
   */
  public GroupCoordinator(GroupId group, int size, CadencePolicy cadence, Duration joinTimeout) {
    this.group = group;
    this.size = size;
    this.cadence = new GroupCadence(cadence);
    this.atNode = new NodeMemory(size);
    this.roster = new Roster(size);
    this.gathering = new Gathering(roster, size, joinTimeout, actions);
    this.claim = new LateClaim(0, Standing.CLAIMED, actions);
    this.start = start(cadence.start(), new EpochTaken(0));
    this.seals = new EpochSeals(group, size, epoch, decisions);
    this.waits = new SealWatch(group, epoch);
    this.end = new EpochEnd(size);
  }

  private EpochStart start(CadencePlan begun, EpochTaken taken) {
    return new EpochStart(taken, size, begun, claim, atNode, roster, gathering, actions);
  }

  /** The epoch that began last, 0 if none. */
  public long epoch() {
    return epoch;
  }

  /** Whether no rank is a member, none waits, and no epoch is being claimed. */
  public boolean isEmpty() {
    return !roster.anyIsMember()
        && !roster.anyWaits()
        && !roster.isClaiming()
        && !gathering.hasStrangers();
  }

  /** The measurements of the cadence so far; empty if it does not adapt, or measured nothing. */
  public Optional<Learned> learned() {
    return cadence.learned();
  }

  /** Whether all ranks ended or stopped, with their last checkpoint at STORE. */
  public boolean isOver() {
    return end.isOver();
  }

  /**
   * Takes one event and returns the actions to carry out, in order.
   *
   * @param nowNanos of a clock that never goes back
   */
  public List<CoordinatorAction> on(CoordinatorEvent event, long nowNanos) {
    this.nowNanos = nowNanos;
    actions.clear();
    if (event instanceof Join join) {
      join(join);
    } else if (event instanceof Withdraw withdraw) {
      withdraw(withdraw);
    } else if (event instanceof MemberMessage.InEpoch message) {
      if (isCurrent(message) || mayReport(message)) {
        receive(message);
      }
    } else if (event instanceof CoordinatorEvent.FromCarrier answer) {
      answered(answer);
    } else {
      throw new IllegalStateException("no coordinator takes " + event);
    }
    return actions.copy();
  }

  /** Whether the sender is a member of this epoch. If not, it was fenced when its epoch ended. */
  private boolean isCurrent(MemberMessage.InEpoch message) {
    return message.epoch() == epoch && roster.isMember(message.rank());
  }

  /** Whether it is the report of a rank that left this epoch in order and still flushes. */
  private boolean mayReport(MemberMessage.InEpoch message) {
    boolean report = message instanceof Held || message instanceof GaveUp;
    return report && message.epoch() == epoch && roster.hasLeft(message.rank());
  }

  private void receive(MemberMessage.InEpoch message) {
    if (message instanceof Offer offer) {
      start.offered(offer).ifPresent(this::resume);
    } else if (message instanceof Vote vote) {
      start.voted(vote).ifPresent(this::resume);
    } else if (message instanceof Held held) {
      cadence.held(nowNanos, held);
      seals.held(held);
      claim.reported();
    } else if (message instanceof GaveUp gaveUp) {
      seals.gaveUp(gaveUp);
      claim.reported();
    } else if (message instanceof CadenceVote vote) {
      cadence
          .voted(vote.rank(), vote.version(), vote.inTime())
          .ifPresent(adopted -> decided(vote.version(), adopted));
    } else if (message instanceof Endangered endangered) {
      rescue(seals.newestAtDevice(), Set.of(endangered.rank()));
    } else if (message instanceof Ending ending) {
      end.ending(ending.rank(), ending.iteration(), ending.end());
      answerEnd();
    } else if (message instanceof Again again) {
      seals.again(again.rank(), again.iteration());
    } else if (message instanceof Leave leave) {
      leave(leave.rank());
    } else {
      throw new IllegalStateException("no coordinator takes " + message);
    }
  }

  private void answered(CoordinatorEvent.FromCarrier answer) {
    if (answer instanceof EpochTaken taken) {
      if (gathering.begins(nowNanos)) {
        begin(taken);
      }
    } else if (answer instanceof LaterEpochTaken later) {
      if (start.givesWayTo(later)) {
        begin(later.taken());
      }
    } else if (answer instanceof ClaimEnded tried) {
      if (claim.ended(tried)) {
        sendAll(new CoordinatorMessage.Claimed(epoch));
      }
    } else if (answer instanceof EpochStays stays) {
      start.stays(stays.epoch());
    } else if (answer instanceof Remembered remembered) {
      cadence.begin(remembered.learned());
      lastEnd = remembered.end();
      failedBefore = lastEnd.isEmpty();
    } else if (answer instanceof NodeSealFound found) {
      atNode.remembered(found.seal());
    } else if (answer instanceof Recalled recalled) {
      cadence.recall(recalled.learned());
      failedBefore = !recalled.ended() && !lastEnd.equals(Optional.of(recalled.from()));
    } else if (answer instanceof BirthFound found) {
      decide(found);
    } else if (answer instanceof EpochRefused refused) {
      gathering.claimRefused(refused.reason());
    } else if (answer instanceof Superseded superseded) {
      superseded(superseded);
    } else if (answer instanceof CadenceFound found) {
      cadenceFound(found);
    } else if (answer instanceof CommitEnded ended) {
      seals.commitEnded(ended);
    } else if (answer instanceof Reminded) {
      start.reminded(nowNanos);
    } else if (answer instanceof LookAtWaits) {
      lookAtWaits();
    } else {
      throw new IllegalStateException("no coordinator takes " + answer);
    }
  }

  /** A group that everyone has left waits for nobody. */
  private void lookAtWaits() {
    if (roster.anyIsMember()) {
      waits.look(seals, nowNanos, actions);
    }
  }

  private void leave(int rank) {
    roster.leave(rank);
    if (!start.isDecided()) {
      awaitAgain();
      return;
    }
    cadence.withdraw().ifPresent(version -> decided(version, false));
    seals.left(rank);
  }

  private void superseded(Superseded superseded) {
    if (superseded.epoch() >= epoch) {
      endEpoch(superseded.reason());
    }
  }

  private void join(Join join) {
    if (join.size() != size || join.rank() < 0 || join.rank() >= size) {
      String reason =
          String.format(
              Locale.ROOT,
              "rank %d of %d cannot join %s, which has %d ranks in this application",
              join.rank(),
              join.size(),
              group,
              size);
      actions.send(join.rank(), join.incarnation(), new CoordinatorMessage.Refused(reason));
      return;
    }
    if (roster.isMember(join.rank(), join.incarnation())) {
      start.welcome(join.rank(), join.incarnation());
      return;
    }
    if (roster.isOver(join.incarnation())) {
      actions.send(
          join.rank(), join.incarnation(), new CoordinatorMessage.Fenced("this member is over"));
      return;
    }
    if (!gathering.setsAside(join)) {
      admit(join);
    }
  }

  /** The right birth is known: the ranks of another one cannot join, or are over. */
  private void decide(BirthFound found) {
    for (Join join : gathering.takeStrangers()) {
      String refusal = found.refusal(group, join.rank());
      if (!join.origin().birth().equals(found.birth())) {
        actions.send(join.rank(), join.incarnation(), new CoordinatorMessage.Refused(refusal));
      } else {
        if (!gathering.isOf(found.birth())) {
          endEpoch("the directory of " + group + " was deleted, and another run began it");
          gathering.refuseOthers(rank -> found.refusal(group, rank));
        }
        admit(join);
      }
    }
  }

  private void admit(Join join) {
    if (start.isDecided()) {
      endEpoch("rank " + join.rank() + " joined again, so the group rolls back");
    } else {
      awaitAgain();
    }
    gathering.await(join, nowNanos);
  }

  private void withdraw(Withdraw withdraw) {
    if (roster.isMember(withdraw.rank(), withdraw.incarnation())) {
      boolean undecided = !start.isDecided();
      leave(withdraw.rank());
      if (undecided && withdraw.failed()) {
        gathering.fence("rank " + withdraw.rank() + " left, since its restore failed");
      }
    } else {
      gathering.forget(withdraw.incarnation());
      roster.withdraw(withdraw.rank(), withdraw.incarnation());
    }
  }

  private void endEpoch(String reason) {
    Map<Integer, String> ended = roster.disband();
    actions.sendAll(ended, new CoordinatorMessage.Fenced(reason));
    if (!ended.isEmpty()) {
      lostNanos = OptionalLong.of(nowNanos);
    }
  }

  /** The members have nothing to roll back, and wait for the next epoch. */
  private void awaitAgain() {
    if (roster.anyIsMember()) {
      lostNanos = OptionalLong.of(nowNanos);
      gathering.awaitAgain(epoch, nowNanos);
    }
  }

  private void begin(EpochTaken taken) {
    epoch = taken.epoch();
    seals = new EpochSeals(group, size, epoch, decisions);
    waits = new SealWatch(group, epoch);
    end = new EpochEnd(size);
    rescued = -1;
    anySealed |= taken.anySealed();
    claim = new LateClaim(epoch, taken.standing(), actions);
    atNode.begins(gathering.nodes());
    start = start(cadence.begin(), new EpochTaken(epoch, taken.atStore(), anySealed));
    roster.members().forEach(start::welcome);
  }

  private void resume(CoordinatorMessage.Resume resume) {
    seals.resumed(resume);
    atNode
        .resumed(resume, nowNanos)
        .ifPresent(loss -> actions.add(new CoordinatorAction.ReportTrouble(loss)));
    resumed(resume);
    sendAll(resume);
    report(false);
  }

  /**
   * Counts a failure only if this coordinator saw the end of the epoch, or an earlier one did not
   * see the end of the training.
   */
  private void resumed(CoordinatorMessage.Resume resume) {
    cadence.resumed(
        nowNanos,
        resume.id().map(CheckpointId::iteration).orElse(-1L),
        lostNanos.isPresent() || failedBefore ? start.level() : Optional.empty(),
        nowNanos - lostNanos.orElse(nowNanos));
    lostNanos = OptionalLong.empty();
    failedBefore = false;
  }

  private void settle(Seals.Key key, Outcome outcome) {
    boolean sealed = outcome instanceof Outcome.Sealed;
    sendAll(new CoordinatorMessage.Settled(epoch, key.iteration(), key.level(), outcome));
    cadence.settled(nowNanos, key.iteration(), key.level(), sealed);
    if (sealed && key.level() != Level.DEVICE && !anySealed && size > 1) {
      anySealed = true;
      actions.add(new CoordinatorAction.MarkAnySealed());
    }
    if (LevelSpec.of(key.level()).keeper() == LevelSpec.Keeper.MACHINE && sealed) {
      atNode
          .sealed(id(key.iteration()), seals.newestAtStore(), nowNanos)
          .ifPresent(seal -> actions.add(new CoordinatorAction.NoteNodeSeal(seal)));
    }
    if (key.level() == Level.DEVICE && sealed) {
      order(new WorkAtRisk.Order(key.iteration(), cadence.captured(nowNanos, key.iteration())));
      progressed(key.iteration());
    } else if (key.level() == Level.DEVICE) {
      order(cadence.missed(nowNanos, key.iteration()));
    }
    answerEnd();
  }

  /** Sends an iteration, perhaps one to come, further than its cadence asks. */
  private void order(WorkAtRisk.Order order) {
    if (!order.levels().isEmpty() && order.iteration() <= CheckpointId.MAX_NUMBER) {
      sendAll(new CoordinatorMessage.Promote(epoch, order.iteration(), order.levels()));
    }
  }

  private void answerEnd() {
    end.answer(seals).ifPresent(answer -> rescue(answer.iteration(), answer.ranks()));
    end.kept(seals)
        .filter(last -> claim.standing().claimed()) // else another attempt may have the epoch
        .ifPresent(last -> actions.add(new MarkEnd(id(last))));
  }

  private CheckpointId id(long iteration) {
    return new CheckpointId(group, epoch, iteration);
  }

  /** Tells all members to send an iteration on; if nothing has changed since, those who asked. */
  private void rescue(long iteration, Set<Integer> asking) {
    boolean news = iteration != rescued || seals.isGivenUpAtStore(iteration);
    rescued = iteration;
    seals.reopenAtStore(iteration);
    Map<Integer, String> told = new TreeMap<>(roster.members());
    if (!news) {
      told.keySet().retainAll(asking);
    }
    actions.sendAll(told, new CoordinatorMessage.Rescue(epoch, iteration));
    if (seals.isGivenUpAtStore(iteration)) { // else the ranks that are left would wait in vain
      Outcome over = new Outcome.Skipped("a rank has left");
      sendAll(new CoordinatorMessage.Settled(epoch, iteration, LevelSpec.committed(), over));
    }
  }

  /** Every rank has captured an iteration, so every rank has computed it. */
  private void progressed(long iteration) {
    if (cadence.progressed(nowNanos, iteration)) {
      cadence.search(nowNanos).ifPresent(search -> actions.add(new SearchCadence(search)));
      report(false);
    }
  }

  private void cadenceFound(CadenceFound answer) {
    cadence
        .found(nowNanos, answer, roster.members().keySet())
        .ifPresent(plan -> sendAll(new CoordinatorMessage.CadencePlanned(epoch, plan)));
  }

  private void decided(long version, boolean adopted) {
    sendAll(new CoordinatorMessage.CadenceDecided(epoch, version, adopted));
    if (adopted) {
      report(true);
    }
  }

  private void report(boolean adopted) {
    cadence.report().ifPresent(report -> actions.add(new ReportCadence(report, adopted)));
  }

  private void sendAll(CoordinatorMessage message) {
    actions.sendAll(roster.members(), message);
  }
}
