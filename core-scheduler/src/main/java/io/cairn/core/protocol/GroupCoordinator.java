package io.cairn.core.protocol;

import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CoordinatorAction.ClaimEpoch;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.Tell;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.CoordinatorEvent.EpochRefused;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.Superseded;
import io.cairn.core.protocol.MemberMessage.GaveUp;
import io.cairn.core.protocol.MemberMessage.Held;
import io.cairn.core.protocol.MemberMessage.Join;
import io.cairn.core.protocol.MemberMessage.Leave;
import io.cairn.core.protocol.MemberMessage.Offer;
import io.cairn.core.protocol.MemberMessage.Vote;
import io.cairn.core.session.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides for one group: when an epoch begins and who is in it, which checkpoint all ranks go on
 * from, what is sealed at which level, and what is committed to STORE. For an independent rank it
 * is the same with one rank.
 *
 * <p>An epoch begins when every rank has a join waiting. A join while an epoch runs ends that epoch
 * for all of its members: with a rank lost the group can seal nothing more, and the only way on is
 * together. Of two joins of one rank the later one counts, so a retry, a speculative twin and a
 * zombie are one case.
 *
 * <p>Messages to it may come twice, late or not at all. Those from it reach the incarnation that
 * they are for in order, unless that one is gone: its carrier keeps them until they are fetched.
 *
 * <p>No I/O, no clock, no threads: {@link #on} must be called by one thread at a time.
 */
public final class GroupCoordinator {
  private final GroupId group;
  private final int size;
  private final FixedCadence cadence;
  private final Map<Integer, String> waiting = new TreeMap<>();
  private final Map<Integer, String> members = new TreeMap<>();
  private final List<CoordinatorAction> actions = new ArrayList<>();
  private Map<Integer, String> claimedFor = Map.of();
  private boolean claiming;
  private long epoch;
  private RestoreAgreement agreement;
  private Seals seals;
  private Ancestry ancestry = Ancestry.NONE;
  private Optional<Parent> parent = Optional.empty();

  /** A coordinator for a group of {@code size} ranks, none of which has joined. */
  public GroupCoordinator(GroupId group, int size, FixedCadence cadence) {
    this.group = group;
    this.size = size;
    this.cadence = cadence;
    this.agreement = new RestoreAgreement(size);
    this.seals = new Seals(size);
  }

  /** The epoch that was begun last, 0 if none. */
  public long epoch() {
    return epoch;
  }

  /** Takes one event; returns what is to be done, in order. */
  public List<CoordinatorAction> on(CoordinatorEvent event) {
    actions.clear();
    if (event instanceof Join join) {
      join(join);
    } else if (event instanceof EpochTaken taken) {
      begin(taken.epoch());
    } else if (event instanceof EpochRefused refused) {
      claiming = false;
      waiting.forEach(
          (rank, who) -> tell(rank, who, new CoordinatorMessage.Refused(refused.reason())));
      waiting.clear();
    } else if (event instanceof CommitEnded ended) {
      commitEnded(ended);
    } else if (event instanceof Superseded superseded && superseded.newest() > epoch) {
      endEpoch("epoch " + superseded.newest() + " of " + group + " was taken elsewhere");
    } else if (event instanceof Offer offer && current(offer.rank(), offer.epoch())) {
      announce(agreement.offer(offer.rank(), offer.candidates()), offer.rank());
    } else if (event instanceof Vote vote && current(vote.rank(), vote.epoch())) {
      announce(agreement.vote(vote.rank(), vote.id(), vote.refusal()), vote.rank());
    } else if (event instanceof Held held && current(held.rank(), held.epoch())) {
      held(held);
    } else if (event instanceof GaveUp gaveUp && current(gaveUp.rank(), gaveUp.epoch())) {
      gaveUp(gaveUp);
    } else if (event instanceof Leave leave && current(leave.rank(), leave.epoch())) {
      members.remove(leave.rank());
      if (!agreement.decided()) {
        endEpoch("rank " + leave.rank() + " left before the group agreed where to go on from");
      }
    }
    return List.copyOf(actions);
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
      tell(join.rank(), join.incarnation(), new CoordinatorMessage.Joined(epoch, cadence));
      return;
    }
    endEpoch("rank " + join.rank() + " joined again, so the group rolls back");
    String before = waiting.put(join.rank(), join.incarnation());
    if (before != null && !before.equals(join.incarnation())) {
      tell(join.rank(), before, new CoordinatorMessage.Fenced("a later attempt joined"));
    }
    claimIfComplete();
  }

  private void endEpoch(String reason) {
    members.forEach((rank, who) -> tell(rank, who, new CoordinatorMessage.Fenced(reason)));
    members.clear();
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
    agreement = new RestoreAgreement(size);
    seals = new Seals(size);
    ancestry = Ancestry.NONE;
    parent = Optional.empty();
    tellAll(new CoordinatorMessage.Joined(epoch, cadence));
  }

  /** Whether the speaker is a member of this epoch. If not, it was told so when its epoch ended. */
  private boolean current(int rank, long spoken) {
    return spoken == epoch && members.containsKey(rank);
  }

  private void announce(boolean changed, int speaker) {
    if (agreement.decided()) {
      CoordinatorMessage.Resume resume = resume();
      if (changed) {
        ancestry = resume.ancestry();
        parent = resume.parent();
        tellAll(resume);
      } else {
        tell(speaker, resume);
      }
    } else if (agreement.proposed().isPresent()) {
      CheckpointId id = agreement.proposed().get().id();
      if (changed) {
        tellAll(new CoordinatorMessage.Verify(epoch, id));
      } else {
        tell(speaker, new CoordinatorMessage.Verify(epoch, id));
      }
    }
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
    if (seals.held(key, held.rank(), held.container())) {
      if (held.level() == Level.STORE) {
        actions.add(new CommitManifest(manifest(key)));
      } else {
        settle(key, new Outcome.Sealed(held.level()));
      }
    }
    seals.trim().forEach(old -> settle(old, new Outcome.Failed("not all ranks reported it")));
  }

  private CheckpointManifest manifest(Seals.Key key) {
    return new CheckpointManifest(
        new CheckpointId(group, epoch, key.iteration()),
        size,
        parent,
        ancestry,
        "unset",
        seals.containers(key));
  }

  private void gaveUp(GaveUp gaveUp) {
    Seals.Key key = new Seals.Key(gaveUp.iteration(), gaveUp.level());
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
      parent = Optional.of(new Parent(ended.id(), ended.digest()));
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

  private void tell(int rank, CoordinatorMessage message) {
    String who = members.get(rank);
    if (who != null) {
      tell(rank, who, message);
    }
  }

  private void tell(int rank, String incarnation, CoordinatorMessage message) {
    actions.add(new Tell(rank, incarnation, message));
  }
}
