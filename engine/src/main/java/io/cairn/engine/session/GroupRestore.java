package io.cairn.engine.session;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.core.session.ResumePolicy;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank's part in a restore. It offers the checkpoints that it can read, and verifies those that
 * the coordinator proposes. It writes the application's memory only after every rank has verified
 * the same checkpoint. Used once, by the training thread.
 */
public final class GroupRestore {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRestore.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LAST_PAUSE_MILLIS = 1000;

  private final Membership membership;
  private final Member member;
  private final Planners planners;
  private final ProtectedRegions regions;
  private final Start start;
  private final Landing landing;
  private final Supplier<StoreWait> waits;
  private final StagingBuffer staging = new StagingBuffer();
  private final List<Attempt> attempts = new ArrayList<>();

  /** Wanted checkpoints that STORE could not show. */
  private List<CheckpointId> unread = List.of();

  private @Nullable VerifiedCopy verified;

  /** The planner of the last survey, until it has verified something. */
  private Optional<RestorePlanner> surveyed = Optional.empty();

  /** The agreement of the group, and the report if a checkpoint was restored. */
  public record Result(CoordinatorMessage.Resume resume, Optional<RestoreReport> report) {}

  /**
   * A restore into these regions.
   *
   * @param landing takes chunks until the group has agreed
   * @param waits begins a wait for a store that fails
   */
  public GroupRestore(
      Membership membership,
      Member member,
      Planners planners,
      ProtectedRegions regions,
      Start start,
      Landing landing,
      Supplier<StoreWait> waits) {
    this.membership = membership;
    this.member = member;
    this.planners = planners;
    this.regions = regions;
    this.start = start;
    this.landing = landing;
    this.waits = waits;
  }

  /**
   * Whether this rank can offer a wanted checkpoint.
   *
   * @throws RestoreException if the store cannot be asked
   */
  public boolean canOffer(Predicate<CheckpointId> wanted) {
    return survey(wanted).choices().stream().anyMatch(choice -> wanted.test(choice.id()));
  }

  /**
   * Agrees with the group on a checkpoint and restores it. If this method throws, the member leaves
   * the epoch, so that the other ranks do not wait for its vote.
   *
   * @param wanted which checkpoints are wanted
   * @throws RestoreException as {@link io.cairn.core.session.Checkpointer#restore()} says
   */
  public Result run(Predicate<CheckpointId> wanted) {
    return leaveOnFailure(
        () -> {
          Plan plan = survey(wanted);
          attempts.addAll(plan.refused());
          unread = plan.unread().stream().filter(wanted).toList();
          List<Plan.Choice> choices =
              plan.choices().stream().filter(choice -> wanted.test(choice.id())).toList();
          if (choices.isEmpty()) {
            requireNone();
          }
          return agree(choices, !plan.choices().isEmpty());
        });
  }

  /** Agrees with the group to restore nothing. Throws as {@link #run} does. */
  public Result startAfresh() {
    return leaveOnFailure(
        () -> {
          requireNone();
          List<Plan.Choice> left = candidates().choices();
          if (!left.isEmpty()) {
            LOG.warn("{} starts without restoring, although {} exists", member, left.get(0).id());
          }
          return agree(List.of(), false);
        });
  }

  private Result leaveOnFailure(Supplier<Result> attempt) {
    try {
      return attempt.get();
    } catch (RuntimeException e) {
      membership.send(new MemberMessage.Leave(member.rank(), membership.epoch()));
      throw e;
    } finally {
      release();
    }
  }

  /**
   * A complete plan. Restore fails rather than losing more work than necessary in an outage of
   * STORE. It does without a checkpoint there that is older than a choice and stays unreadable.
   * Nearer copies may be gone for good, so they are asked again for two seconds only.
   */
  private Plan survey(Predicate<CheckpointId> wanted) {
    StoreWait wait = waits.get();
    Plan plan = candidates();
    while (storeUnreachable(plan) && pause(wait, plan.unreachable().toString())) {
      plan = candidates();
    }
    for (long millis = FIRST_PAUSE_MILLIS;
        !plan.unreachable().isEmpty() && !storeUnreachable(plan) && millis <= LAST_PAUSE_MILLIS;
        millis *= 2) {
      membership.pause(millis);
      plan = candidates();
    }
    requireReachable(plan);
    if (start.policy() == ResumePolicy.NEVER) {
      return ofThisRun(plan);
    }
    requireUsable(plan, wanted);
    return plan;
  }

  /** Asks every source but STORE, which the coordinator has surveyed; again, it asks STORE too. */
  private Plan candidates() {
    RestorePlanner planner = planners.planner(membership.takeSurvey());
    surveyed = Optional.of(planner);
    return planner.candidates(member);
  }

  private void requireNone() {
    if (start.policy() == ResumePolicy.REQUIRE) {
      throw new RestoreException(
          member
              + ": no checkpoint can be restored, and cairn.resume is require; set it to auto to"
              + " start afresh");
    }
  }

  /** Only what this run wrote: a retry resumes, although the run started afresh. */
  private Plan ofThisRun(Plan plan) {
    RestorePlanner planner = surveyed.orElseGet(planners::planner);
    Map<Boolean, List<Plan.Choice>> byRun =
        plan.choices().stream()
            .collect(
                Collectors.partitioningBy(
                    choice -> planner.program(choice.id(), member).sameRunAs(regions.program())));
    List<Plan.Choice> earlier = Objects.requireNonNull(byRun.get(false));
    if (!earlier.isEmpty()) {
      LOG.warn(
          "{} does not resume from {} of an earlier run, since cairn.resume is never",
          member,
          earlier.get(0).id());
    }
    return new Plan(
        Objects.requireNonNull(byRun.get(true)),
        List.of(),
        plan.refused(),
        List.of(),
        plan.unreachable(),
        plan.unread());
  }

  private static boolean storeUnreachable(Plan plan) {
    return plan.unreachable().stream().anyMatch(source -> source.level() == Level.STORE);
  }

  private static boolean hidesTheNewest(Plan.Unreachable source) {
    return source.level() == Level.STORE && source.mayBeNewest();
  }

  private void requireReachable(Plan plan) {
    if (plan.unreachable().stream().anyMatch(GroupRestore::hidesTheNewest)) {
      throw new RestoreException(
          member + ": it is unknown whether a newer checkpoint exists: " + plan.unreachable());
    }
    if (!plan.unreachable().isEmpty()) {
      LOG.warn("{}: not every source could be asked: {}", member, plan.unreachable());
    }
  }

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
    if (plan.choices().isEmpty() && plan.damaged().stream().anyMatch(wanted)) {
      throw new RestoreException(
          member
              + ": no checkpoint can be restored, all are damaged: "
              + plan.refused()
              + ". Give the group another name to start afresh");
    }
  }

  private Result agree(List<Plan.Choice> choices, boolean othersExist) {
    List<Candidate> offers = choices.stream().map(Plan.Choice::candidate).toList();
    membership.send(new MemberMessage.Offer(member.rank(), membership.epoch(), offers));
    while (true) {
      CoordinatorMessage message = membership.next();
      if (message instanceof CoordinatorMessage.Verify verify) {
        verify(verify.id());
      } else if (message instanceof CoordinatorMessage.Resume resume) {
        return resume.id().isPresent()
            ? new Result(resume, Optional.of(apply(resume.id().get())))
            : afresh(resume, othersExist);
      }
    }
  }

  private void verify(CheckpointId id) {
    release();
    requireNoneUnreadAfter(id);
    Verification verification = verifyPatiently(id);
    attempts.addAll(verification.attempts());
    String refusal = "";
    Optional<Level> level = Optional.empty();
    if (verification instanceof VerifiedCopy copy) {
      verified = copy; // first, so that it is closed in any case
      regions.checkShape(copy.images(), id.toString());
      List<String> accepted = regions.checkProgram(copy.program(), id.toString(), start.accepted());
      if (!accepted.isEmpty()) {
        LOG.warn("{} accepts that another program wrote {}: {}", member, id, accepted);
      }
      level = Optional.of(copy.level());
    } else if (verification instanceof Verification.Refused refused) {
      refusal = refused.reason();
      LOG.warn("{} cannot resume from {}: {}", member, id, refusal);
    }
    membership.send(new MemberMessage.Vote(member.rank(), membership.epoch(), id, level, refusal));
  }

  /** The newer ones were refused since; the next restore waits until this one can be read. */
  private void requireNoneUnreadAfter(CheckpointId id) {
    for (CheckpointId hidden : unread) {
      if (hidden.compareTo(id) > 0) {
        throw new RestoreException(
            "%s: %s cannot be read at STORE now, and its group would go back to %s"
                .formatted(member, hidden, id));
      }
    }
  }

  /** Tries again if a copy could not be read for the moment, before an older one is proposed. */
  private Verification verifyPatiently(CheckpointId id) {
    StoreWait wait = waits.get();
    // the sources of the survey have read its manifests already; a second try looks anew
    RestorePlanner first = surveyed.orElseGet(planners::planner);
    surveyed = Optional.empty();
    Verification verification = first.verify(id, member, staging, landing);
    while (verification instanceof Verification.Refused refused
        && refused.retryable()
        && pause(wait, id + ": " + refused.attempts())) {
      verification = planners.planner().verify(id, member, staging, landing);
    }
    return verification;
  }

  /** Pauses before the next try; false if there is none. */
  private boolean pause(StoreWait wait, String failure) {
    OptionalLong millis = wait.failed(failure);
    millis.ifPresent(membership::pause);
    return millis.isPresent();
  }

  private RestoreReport apply(CheckpointId id) {
    VerifiedCopy copy = verified;
    if (copy == null || !copy.id().equals(id)) {
      throw new IllegalStateException(
          member + " must resume from " + id + " without having verified it");
    }
    try {
      ByteBuffer buffer = staging.forChunksOf(copy.images());
      long bytes = regions.restore(copy.images(), copy.readers(), buffer);
      LOG.info("{} resumes from {} at {} ({})", member, id, copy.level(), copy.source());
      return new RestoreReport(id, copy.level(), copy.source(), bytes, attempts);
    } catch (IOException e) {
      throw new RestoreException(
          id
              + " verified, but went bad while it was restored; the protected regions are in part"
              + " overwritten, restore again: "
              + e.getMessage());
    }
  }

  private Result afresh(CoordinatorMessage.Resume resume, boolean othersExist) {
    if (!resume.refusals().isEmpty()) {
      throw new RestoreException(
          member
              + ": no checkpoint could be restored. "
              + resume.refusals()
              + ". Tried: "
              + attempts.stream().map(Attempt::toString).collect(Collectors.joining("; ")));
    }
    if (othersExist) {
      // to continue would leave the line of those that exist
      throw new RestoreException(member + ": no rank has a checkpoint that was asked for");
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
        LOG.warn("A copy of {} was not closed", copy.id(), e);
      }
    }
  }
}
