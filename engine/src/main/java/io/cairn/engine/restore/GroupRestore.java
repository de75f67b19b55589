package io.cairn.engine.restore;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.engine.runtime.Membership;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank's part in going back: offers what it can read, verifies what the group proposes, and
 * writes the application's memory only when every rank of the group can. Used once, by the training
 * thread.
 */
public final class GroupRestore {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRestore.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LAST_PAUSE_MILLIS = 4000;
  private static final int STAGING_BYTES = 4 << 20;

  private final Membership membership;
  private final Member member;
  private final Supplier<RestorePlanner> planners;
  private final ProtectedRegions regions;
  private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
  private final List<Attempt> attempts = new ArrayList<>();
  private @Nullable VerifiedCopy verified;

  /** How it ended: what the group agreed on, and the report if something was restored. */
  public record Result(CoordinatorMessage.Resume resume, Optional<RestoreReport> report) {}

  /** A restore into these regions. */
  public GroupRestore(
      Membership membership,
      Member member,
      Supplier<RestorePlanner> planners,
      ProtectedRegions regions) {
    this.membership = membership;
    this.member = member;
    this.planners = planners;
    this.regions = regions;
  }

  /**
   * Agrees with the group and goes back.
   *
   * @param wanted which checkpoints are wanted; none, to start afresh
   * @throws RestoreException as {@link io.cairn.core.session.Checkpointer#restore()} says
   */
  public Result run(Predicate<CheckpointId> wanted) {
    Plan plan = planners.get().candidates(member);
    attempts.addAll(plan.refused());
    List<Plan.Choice> choices =
        plan.choices().stream().filter(choice -> wanted.test(choice.id())).toList();
    requireUsable(plan, wanted);
    if (choices.isEmpty() && !plan.choices().isEmpty()) {
      LOG.warn(
          "{} goes on without restoring, although {} exists", member, plan.choices().get(0).id());
    }
    membership.send(new MemberMessage.Offer(member.rank(), membership.epoch(), offers(choices)));
    try {
      return agree(choices);
    } finally {
      release();
    }
  }

  private static List<Candidate> offers(List<Plan.Choice> choices) {
    return choices.stream().map(Plan.Choice::candidate).toList();
  }

  /** To go back further, or to nothing, because of a mistake or an outage would lose work. */
  private void requireUsable(Plan plan, Predicate<CheckpointId> wanted) {
    for (Plan.Choice other : plan.otherSize()) {
      if (wanted.test(other.id())) {
        throw new RestoreException(
            other.id()
                + " was written by "
                + other.size()
                + " ranks, this group has "
                + member.size()
                + ": join with "
                + other.size()
                + " ranks, or give the group another name to start afresh");
      }
    }
    if (!plan.unreachable().isEmpty()) {
      String places = String.join("; ", plan.unreachable());
      if (plan.choices().isEmpty()) {
        throw new RestoreException(
            member + ": whether there is anything to restore is unknown: " + places);
      }
      LOG.warn("{}: not every place could be asked: {}", member, places);
    }
  }

  private Result agree(List<Plan.Choice> choices) {
    while (true) {
      CoordinatorMessage message = membership.next();
      if (message instanceof CoordinatorMessage.Verify verify) {
        verify(verify.id());
      } else if (message instanceof CoordinatorMessage.Resume resume) {
        return resume.id().isPresent()
            ? new Result(resume, Optional.of(apply(resume.id().get())))
            : afresh(resume, choices);
      }
    }
  }

  private void verify(CheckpointId id) {
    release();
    Verification verification = verifyPatiently(id);
    attempts.addAll(verification.attempts());
    String refusal = "";
    if (verification instanceof VerifiedCopy copy) {
      regions.checkShape(copy.images(), id.toString());
      verified = copy;
    } else if (verification instanceof Verification.Refused refused) {
      refusal = refused.reason();
      LOG.warn("{} cannot go on from {}: {}", member, id, refusal);
    }
    membership.send(new MemberMessage.Vote(member.rank(), membership.epoch(), id, refusal));
  }

  /** A store that does not answer for a moment is no reason to go back further. */
  private Verification verifyPatiently(CheckpointId id) {
    Verification verification = planners.get().verify(id, member, staging);
    for (long millis = FIRST_PAUSE_MILLIS; millis <= LAST_PAUSE_MILLIS; millis *= 2) {
      if (!(verification instanceof Verification.Refused refused) || !refused.passing()) {
        return verification;
      }
      LOG.warn("{} is tried again in {} ms: {}", id, millis, refused.attempts());
      membership.pause(millis);
      verification = planners.get().verify(id, member, staging);
    }
    return verification;
  }

  private RestoreReport apply(CheckpointId id) {
    VerifiedCopy copy = verified;
    if (copy == null || !copy.id().equals(id)) {
      throw new IllegalStateException(member + " is to go on from " + id + " without verifying it");
    }
    try {
      ByteBuffer buffer = atLeast(copy);
      long bytes = regions.restore(copy.images(), copy.reader(), buffer);
      LOG.info("{} goes on from {} at {}", member, id, copy.level());
      return new RestoreReport(id, copy.level(), bytes, attempts);
    } catch (IOException e) {
      throw new RestoreException(
          id
              + " verified, but went bad while it was restored; the protected regions are in part"
              + " overwritten, restore again: "
              + e.getMessage());
    }
  }

  private ByteBuffer atLeast(VerifiedCopy copy) {
    int longest =
        copy.images().stream()
            .mapToInt(image -> image.chunks() == 0 ? 0 : image.chunkLength(0))
            .max()
            .orElse(0);
    return longest <= staging.capacity() ? staging : ByteBuffer.allocateDirect(longest);
  }

  private Result afresh(CoordinatorMessage.Resume resume, List<Plan.Choice> choices) {
    if (!resume.refusals().isEmpty()) {
      throw new RestoreException(
          member
              + ": no checkpoint could be restored. "
              + resume.refusals()
              + ". Tried: "
              + attempts.stream().map(Attempt::toString).collect(Collectors.joining("; ")));
    }
    if (!choices.isEmpty()) {
      LOG.warn(
          "{} starts afresh: none of its {} checkpoints is within reach of every rank",
          member,
          choices.size());
    }
    return new Result(resume, Optional.empty());
  }

  private void release() {
    VerifiedCopy copy = verified;
    verified = null;
    if (copy != null) {
      try {
        copy.close();
      } catch (IOException e) {
        LOG.warn("A copy of {} was not closed: {}", copy.id(), e.getMessage());
      }
    }
  }
}
