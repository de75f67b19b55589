package io.cairn.core.protocol;

import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CoordinatorAction.ClaimEpoch;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.ReportCadence;
import io.cairn.core.protocol.CoordinatorAction.SearchCadence;
import io.cairn.core.protocol.CoordinatorAction.Tell;
import io.cairn.core.protocol.CoordinatorEvent.CadenceFound;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.CoordinatorEvent.EpochRefused;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.Superseded;
import io.cairn.core.protocol.MemberMessage.CadenceVote;
import io.cairn.core.protocol.MemberMessage.Endangered;
import io.cairn.core.protocol.MemberMessage.GaveUp;
import io.cairn.core.protocol.MemberMessage.Held;
import io.cairn.core.protocol.MemberMessage.Join;
import io.cairn.core.protocol.MemberMessage.Leave;
import io.cairn.core.protocol.MemberMessage.Offer;
import io.cairn.core.protocol.MemberMessage.Vote;
import io.cairn.core.session.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one group: when an epoch begins and who is in it, which checkpoint all ranks go on
 * from, what is sealed at which level, and what is committed to STORE. For an independent rank it
 * is the same with one rank.
 *
 * <p>An epoch begins when every rank has a join waiting. A join while an epoch runs ends that epoch
 * for all of its members: with a rank lost the group can seal nothing more, and the only way on is
 * together. Of two joins of one rank the later one counts, so a retry, a speculative twin and a
 * zombie are one case. A join that comes once more after its member is over changes nothing.
 *
 * <p>Messages to it may come twice, late or not at all. Those from it reach the incarnation that
 * they are for in order, unless that one is gone: its carrier keeps them until they are fetched.
 *
 * <p>No I/O, no clock, no threads, no long computations: {@link #on} must be called by one thread
 * at a time.
 */
public final class GroupCoordinator {
  /** Members that are over, before the oldest is forgotten; no message is late by so many. */
  private static final int MAX_OVER = 10_000;

  /** Iterations at DEVICE that are remembered for a rescue; no cache keeps so many. */
  private static final int MAX_AT_DEVICE = 64;

  private final GroupId group;
  private final int size;
  private final GroupCadence cadence;
  private final Map<Integer, String> waiting = new TreeMap<>();
  private final Map<Integer, String> members = new TreeMap<>();
  private final Set<String> over = new LinkedHashSet<>();

  /** Ranks that ended in order, and the last iteration that each may still bring down. */
  private final Map<Integer, Long> left = new TreeMap<>();

  private final Map<Integer, Long> lastReported = new TreeMap<>();
  private final List<CoordinatorAction> actions = new ArrayList<>();
  private Map<Integer, String> claimedFor = Map.of();
  private boolean claiming;
  private long epoch;
  private RestoreAgreement agreement;
  private Seals seals;
  private Ancestry ancestry = Ancestry.NONE;
  private Optional<Parent> parent = Optional.empty();
  private CadencePlan begun;
  private long nowNanos;

  /** The newest that are sealed at DEVICE and were not withdrawn since. */
  private final NavigableSet<Long> atDevice = new TreeSet<>();

  /** When the last epoch ended, or the first rank joined. */
  private OptionalLong lostNanos = OptionalLong.empty();

  /** A coordinator for a group of {@code size} ranks, none of which has joined. */
  public GroupCoordinator(GroupId group, int size, CadencePolicy cadence) {
    this.group = group;
    this.size = size;
    this.cadence = new GroupCadence(cadence);
    this.begun = cadence.start();
    this.agreement = new RestoreAgreement(size);
    this.seals = new Seals(size);
  }

  /** The epoch that was begun last, 0 if none. */
  public long epoch() {
    return epoch;
  }

  /**
   * Takes one event; returns what is to be done, in order.
   *
   * @param nowNanos of a clock that never goes back
   */
  public List<CoordinatorAction> on(CoordinatorEvent event, long nowNanos) {
    this.nowNanos = nowNanos;
    actions.clear();
    if (event instanceof Join join) {
      join(join);
    } else if (event instanceof EpochTaken taken) {
      begin(taken.epoch());
    } else if (event instanceof EpochRefused refused) {
      claiming = false;
      waiting.forEach(
          (rank, who) -> end(rank, who, new CoordinatorMessage.Refused(refused.reason())));
      waiting.clear();
    } else if (event instanceof CommitEnded ended) {
      commitEnded(ended);
    } else if (event instanceof Superseded superseded && superseded.newest() > epoch) {
      endEpoch(
          "epoch " + superseded.newest() + " of " + group + " was taken by " + superseded.holder());
    } else if (event instanceof Offer offer && current(offer.rank(), offer.epoch())) {
      announce(agreement.offer(offer.rank(), offer.candidates()));
    } else if (event instanceof Vote vote && current(vote.rank(), vote.epoch())) {
      announce(agreement.vote(vote.rank(), vote.id(), vote.level(), vote.refusal()));
    } else if (event instanceof Held held && heard(held.rank(), held.epoch())) {
      held(held);
    } else if (event instanceof GaveUp gaveUp && heard(gaveUp.rank(), gaveUp.epoch())) {
      gaveUp(gaveUp);
    } else if (event instanceof CadenceFound found) {
      cadenceFound(found);
    } else if (event instanceof CadenceVote vote && current(vote.rank(), vote.epoch())) {
      cadence
          .voted(vote.rank(), vote.version(), vote.inTime())
          .ifPresent(adopted -> decided(vote.version(), adopted));
    } else if (event instanceof Endangered endangered
        && current(endangered.rank(), endangered.epoch())) {
      tellAll(new CoordinatorMessage.Rescue(epoch, atDevice.isEmpty() ? -1 : atDevice.last()));
    } else if (event instanceof Leave leave && current(leave.rank(), leave.epoch())) {
      leave(leave.rank());
    }
    return List.copyOf(actions);
  }

  /** What a rank captured before it left may still come down; later iterations will not. */
  private void leave(int rank) {
    remember(members.remove(rank));
    if (!agreement.decided()) {
      endEpoch("rank " + rank + " left before the group agreed where to go on from");
      return;
    }
    long last = lastReported.getOrDefault(rank, -1L);
    left.put(rank, last);
    cadence.withdraw().ifPresent(version -> decided(version, false));
    seals.unsettledAfter(last).forEach(key -> settleWithout(key, rank));
  }

  private void settleWithout(Seals.Key key, int rank) {
    if (seals.abandon(key)) {
      settle(key, new Outcome.Failed("rank " + rank + " left before this iteration"));
    }
  }

  private void join(Join join) {
    if (join.size() != size || join.rank() < 0 || join.rank() >= size) {
      String reason =
          "rank "
              + join.rank()
              + " of "
              + join.size()
              + " cannot join "
              + group
              + ", which has "
              + size
              + " ranks in this application";
      tell(join.rank(), join.incarnation(), new CoordinatorMessage.Refused(reason));
      return;
    }
    if (join.incarnation().equals(members.get(join.rank()))) {
      tell(join.rank(), join.incarnation(), new CoordinatorMessage.Joined(epoch, begun));
      return;
    }
    if (over.contains(join.incarnation())) {
      tell(join.rank(), join.incarnation(), new CoordinatorMessage.Fenced("this member is over"));
      return;
    }
    endEpoch("rank " + join.rank() + " joined again, so the group rolls back");
    String before = waiting.put(join.rank(), join.incarnation());
    if (before != null && !before.equals(join.incarnation())) {
      end(join.rank(), before, new CoordinatorMessage.Fenced("a later attempt joined"));
    }
    claimIfComplete();
  }

  private void endEpoch(String reason) {
    members.forEach((rank, who) -> end(rank, who, new CoordinatorMessage.Fenced(reason)));
    if (!members.isEmpty()) {
      lostNanos = OptionalLong.of(nowNanos);
    }
    members.clear();
    left.clear();
  }

  /** The last word to a member, or to one that waits to be. */
  private void end(int rank, String incarnation, CoordinatorMessage message) {
    remember(incarnation);
    tell(rank, incarnation, message);
  }

  private void remember(@Nullable String incarnation) {
    if (incarnation != null) {
      over.add(incarnation);
    }
    if (over.size() > MAX_OVER) {
      over.remove(over.iterator().next());
    }
  }

  private void claimIfComplete() {
    if (waiting.size() == size && !claiming) {
      claiming = true;
      claimedFor = Map.copyOf(waiting);
      actions.add(new ClaimEpoch());
    }
  }

  private void begin(long taken) {
    claiming = false;
    if (!claimedFor.equals(waiting)) {
      // a later attempt joined meanwhile: an epoch belongs to those it was claimed for
      claimIfComplete();
      return;
    }
    epoch = taken;
    members.putAll(waiting);
    waiting.clear();
    left.clear();
    lastReported.clear();
    agreement = new RestoreAgreement(size);
    seals = new Seals(size);
    ancestry = Ancestry.NONE;
    parent = Optional.empty();
    begun = cadence.begin();
    atDevice.clear();
    tellAll(new CoordinatorMessage.Joined(epoch, begun));
  }

  /** Whether the speaker is a member of this epoch. If not, it was told so when its epoch ended. */
  private boolean current(int rank, long spoken) {
    return spoken == epoch && members.containsKey(rank);
  }

  /** Whether a report counts: of a member, or of one that left in order and is still flushing. */
  private boolean heard(int rank, long spoken) {
    return current(rank, spoken) || (spoken == epoch && left.containsKey(rank));
  }

  /** Each proposal and the agreement is told once; who votes first is not asked again. */
  private void announce(boolean changed) {
    if (!changed) {
      return;
    }
    if (agreement.decided()) {
      CoordinatorMessage.Resume resume = resume();
      ancestry = resume.ancestry();
      parent = resume.parent();
      resumed(resume);
      tellAll(resume);
    } else {
      agreement.proposed().ifPresent(id -> tellAll(new CoordinatorMessage.Verify(epoch, id.id())));
    }
  }

  /** Only what this coordinator saw end is known to be a failure, and how long ago. */
  private void resumed(CoordinatorMessage.Resume resume) {
    cadence.resumed(
        nowNanos,
        resume.id().map(CheckpointId::iteration).orElse(-1L),
        lostNanos.isPresent() ? agreement.level() : Optional.empty(),
        nowNanos - lostNanos.orElse(nowNanos));
    lostNanos = OptionalLong.empty();
  }

  private CoordinatorMessage.Resume resume() {
    Optional<Candidate> chosen = agreement.proposed();
    return new CoordinatorMessage.Resume(
        epoch,
        chosen.map(Candidate::id),
        chosen.map(Candidate::asParent),
        chosen.map(c -> c.ancestry().continuedFrom(c.id())).orElse(Ancestry.NONE),
        agreement.refusals());
  }

  private void held(Held held) {
    Seals.Key key = new Seals.Key(held.iteration(), held.level());
    lastReported.merge(held.rank(), held.iteration(), Math::max);
    cadence.measured(held.rank(), held.level(), held.measured());
    if (seals.held(key, held.rank(), held.container())) {
      if (held.level() == Level.STORE) {
        commit(key);
      } else {
        settle(key, new Outcome.Sealed(held.level()));
        progressed(key);
      }
    }
    left.forEach(
        (rank, last) -> {
          if (key.iteration() > last) {
            settleWithout(key, rank);
          }
        });
    seals.trim().forEach(old -> settle(old, new Outcome.Failed("not all ranks reported it")));
  }

  /** Every rank has captured an iteration, so every rank has done it. */
  private void progressed(Seals.Key key) {
    if (key.level() != Level.DEVICE) {
      return;
    }
    atDevice.add(key.iteration());
    if (atDevice.size() > MAX_AT_DEVICE) {
      atDevice.pollFirst();
    }
    if (cadence.progressed(nowNanos, key.iteration())) {
      cadence.search(nowNanos).ifPresent(search -> actions.add(new SearchCadence(search)));
      report(false);
    }
  }

  private void cadenceFound(CadenceFound answer) {
    cadence
        .found(nowNanos, answer, members.keySet())
        .ifPresent(plan -> tellAll(new CoordinatorMessage.CadencePlanned(epoch, plan)));
  }

  private void decided(long version, boolean adopted) {
    tellAll(new CoordinatorMessage.CadenceDecided(epoch, version, adopted));
    if (adopted) {
      report(true);
    }
  }

  private void report(boolean adopted) {
    cadence.report().ifPresent(report -> actions.add(new ReportCadence(report, adopted)));
  }

  private void commit(Seals.Key key) {
    CheckpointId id = new CheckpointId(group, epoch, key.iteration());
    if (parent.filter(newest -> newest.id().compareTo(id) > 0).isPresent()) {
      settle(key, new Outcome.Skipped("a newer checkpoint was sealed at STORE before it"));
    } else {
      actions.add(new CommitManifest(manifest(id, key)));
    }
  }

  private CheckpointManifest manifest(CheckpointId id, Seals.Key key) {
    return new CheckpointManifest(id, size, parent, ancestry, "unset", seals.containers(key));
  }

  private void gaveUp(GaveUp gaveUp) {
    Seals.Key key = new Seals.Key(gaveUp.iteration(), gaveUp.level());
    lastReported.merge(gaveUp.rank(), gaveUp.iteration(), Math::max);
    if (gaveUp.level() == Level.DEVICE) {
      atDevice.remove(gaveUp.iteration());
    }
    if (seals.abandon(key)) {
      String reason =
          size == 1 ? gaveUp.reason() : "rank " + gaveUp.rank() + ": " + gaveUp.reason();
      settle(key, gaveUp.failed() ? new Outcome.Failed(reason) : new Outcome.Skipped(reason));
    }
  }

  private void commitEnded(CommitEnded ended) {
    if (ended.id().epoch() != epoch) {
      return;
    }
    Outcome outcome;
    if (ended.outcome() instanceof CommitOutcome.Committed) {
      // commits may end in another order than the iterations have
      parent =
          parent
              .filter(newest -> newest.id().compareTo(ended.id()) > 0)
              .or(() -> Optional.of(new Parent(ended.id(), ended.digest())));
      outcome = new Outcome.Sealed(Level.STORE);
    } else if (ended.outcome() instanceof CommitOutcome.Failed failed) {
      outcome = new Outcome.Failed(failed.reason());
    } else {
      outcome = new Outcome.Failed("unknown whether committed: " + ended.outcome());
    }
    settle(new Seals.Key(ended.id().iteration(), Level.STORE), outcome);
  }

  private void settle(Seals.Key key, Outcome outcome) {
    tellAll(new CoordinatorMessage.Settled(epoch, key.iteration(), key.level(), outcome));
  }

  private void tellAll(CoordinatorMessage message) {
    members.forEach((rank, who) -> tell(rank, who, message));
  }

  private void tell(int rank, String incarnation, CoordinatorMessage message) {
    actions.add(new Tell(rank, incarnation, message));
  }
}
