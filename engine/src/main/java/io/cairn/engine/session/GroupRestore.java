package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.RestoreReport.Attempt;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.session.Examiner.Examined;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
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

  private final Membership membership;
  private final Member member;
  private final Planners planners;
  private final Start start;
  private final Supplier<StoreWait> waits;
  private final LongPredicate later;
  private final Offers offers;
  private final Examiner examiner;
  private final StagingBuffer staging = new StagingBuffer();
  private final List<Attempt> attempts = new ArrayList<>();

  /** Wanted checkpoints that STORE could not show. */
  private List<CheckpointId> unread = List.of();

  private Examined.@Nullable Good verified;

  /**
   * The agreement of the group, and the report if a checkpoint was restored.
   *
   * @param written the entries with which this rank's data was written
   */
  public record Result(
      CoordinatorMessage.Resume resume, Optional<RestoreReport> report, Fingerprint written) {}

  /**
   * A restore into these regions.
   *
   * @param landing takes chunks until the group has agreed
   * @param waits begins a wait for a store that fails
   * @param later receives the epoch of the agreement, and each one that takes its place; says
   *     whether copies at DEVICE do not count any more since then
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public GroupRestore(
      Membership membership,
      Member member,
      Planners planners,
      ProtectedRegions regions,
      Start start,
      Landing landing,
      Supplier<StoreWait> waits,
      LongPredicate later,
      LongSupplier nanoTime) {
    this.membership = membership;
    this.member = member;
    this.planners = planners;
    this.start = start;
    this.waits = waits;
    this.later = later;
    this.offers = new Offers(membership, member, planners, regions, start, waits, nanoTime);
    this.examiner = new Examiner(member, regions, start, landing);
  }

  /**
   * Whether this rank can offer a wanted checkpoint.
   *
   * @throws RestoreException if the store cannot be asked
   */
  public boolean canOffer(Predicate<CheckpointId> wanted) {
    return !offers.of(offers.survey(wanted), wanted).isEmpty();
  }

  /**
   * Agrees with the group on a checkpoint and restores it. If this method throws, the member
   * withdraws, so that the other ranks do not wait for its vote. Unless the rank was cancelled,
   * they end, too.
   *
   * @param wanted which checkpoints are wanted
   * @throws RestoreException as {@link io.cairn.Checkpointer#restore()} says
   */
  public Result run(Predicate<CheckpointId> wanted) {
    return leaveOnFailure(
        () -> {
          Plan plan = offers.survey(wanted);
          attempts.addAll(plan.refused());
          // the survey has waited for what it passes over
          unread =
              plan.unread().stream()
                  .filter(wanted)
                  .filter(id -> !plan.passedOver().contains(id))
                  .toList();
          List<Plan.Choice> choices = offers.of(plan, wanted);
          if (choices.isEmpty()) {
            requireNone();
          }
          boolean unwanted = !plan.choices().isEmpty() || !plan.otherSize().isEmpty();
          return agree(choices, choices.isEmpty() && unwanted);
        });
  }

  /** Agrees with the group to restore nothing, on purpose. Throws as {@link #run} does. */
  public Result startAfreshOnPurpose() {
    return leaveOnFailure(() -> agree(List.of(), false));
  }

  /** Agrees with the group to restore nothing. Throws as {@link #run} does. */
  public Result startAfresh() {
    return leaveOnFailure(
        () -> {
          requireNone();
          List<Plan.Choice> left = offers.of(offers.candidates(), id -> true);
          if (!left.isEmpty()) {
            LOG.warn("{} starts without restoring, although {} exists", member, left.get(0).id());
          }
          return agree(List.of(), false);
        });
  }

  private Result leaveOnFailure(Supplier<Result> attempt) {
    try {
      return attempt.get();
    } catch (RuntimeException | Error e) {
      membership.withdraw(!(e instanceof CancellationException));
      throw e;
    } finally {
      release();
    }
  }

  private void requireNone() {
    if (start.policy() == ResumePolicy.REQUIRE) {
      throw new RestoreException(
          member
              + ": no checkpoint can be restored, and resume (on Spark spark.cairn.resume) is"
              + " require; set it to auto to start afresh");
    }
  }

  private Result agree(List<Plan.Choice> choices, boolean othersExist) {
    List<Candidate> candidates = choices.stream().map(Plan.Choice::candidate).toList();
    long epoch = membership.epoch();
    requireSame(later.test(epoch));
    membership.send(offer(epoch, candidates));
    while (true) {
      CoordinatorMessage message = membership.next();
      if (message instanceof CoordinatorMessage.Verify verify && verify.epoch() == epoch) {
        verify(epoch, verify.id());
      } else if (message instanceof CoordinatorMessage.Joined joined && joined.epoch() > epoch) {
        epoch = joined.epoch();
        requireSame(later.test(epoch));
        membership.send(offer(epoch, candidates));
      } else if (message instanceof CoordinatorMessage.Resume resume) {
        return resume.id().isPresent()
            ? applied(resume, resume.id().get())
            : afresh(resume, candidates, othersExist);
      }
    }
  }

  private MemberMessage.Offer offer(long epoch, List<Candidate> candidates) {
    return new MemberMessage.Offer(member.rank(), epoch, candidates, offers.outOfReach());
  }

  private void requireSame(boolean dropped) {
    if (dropped) {
      throw new RestoreException(
          member
              + ": another attempt used the group while STORE took no file, so copies at DEVICE"
              + " that were offered do not count; restore again");
    }
  }

  private void verify(long epoch, CheckpointId id) {
    release();
    requireNoneUnreadAfter(id);
    Examined examined = examinePatiently(id);
    attempts.addAll(examined.attempts());
    String refusal = "";
    Optional<Level> level = Optional.empty();
    if (examined instanceof Examined.Good good) {
      verified = good;
      level = Optional.of(good.level());
      membership.recall(id, good.program());
    } else if (examined instanceof Examined.Refused refused) {
      refusal = refused.reason();
      LOG.warn("{} cannot resume from {}: {}", member, id, refusal);
    }
    membership.send(new MemberMessage.Vote(member.rank(), epoch, id, level, refusal));
  }

  /** The newer ones were refused since; the next restore waits until this one can be read. */
  private void requireNoneUnreadAfter(CheckpointId id) {
    for (CheckpointId hidden : unread) {
      if (hidden.compareTo(id) > 0) {
        if (start.olderIfUnreadable() && staysUnread(hidden)) {
          LOG.error(
              "{}: {} cannot be read at STORE, so its group goes back to {}", member, hidden, id);
          continue;
        }
        throw new RestoreException(
            "%s: %s cannot be read at STORE now, and its group would go back to %s"
                .formatted(member, hidden, id));
      }
    }
  }

  /** A group of one has not waited for an older checkpoint; the others have, in their survey. */
  private boolean staysUnread(CheckpointId hidden) {
    if (member.size() > 1) {
      return true;
    }
    StoreWait wait = waits.get();
    boolean unreadable = offers.candidates().unread().contains(hidden);
    while (unreadable && offers.pause(wait, hidden + " cannot be read")) {
      unreadable = offers.candidates().unread().contains(hidden);
    }
    return unreadable;
  }

  /** Tries again if a copy could not be read for the moment, before an older one is proposed. */
  private Examined examinePatiently(CheckpointId id) {
    StoreWait wait = waits.get();
    int size = offers.size(id);
    // the sources of the survey have read its manifests already; a second try looks anew
    Examined examined = examiner.examine(offers.takePlanner(), id, size, staging);
    while (examined instanceof Examined.Refused refused
        && refused.retryable()
        && offers.pause(wait, id + ": " + refused.attempts())) {
      examined = examiner.examine(planners.planner(), id, size, staging);
    }
    return examined;
  }

  private Result applied(CoordinatorMessage.Resume resume, CheckpointId id) {
    RestoreReport report = apply(id);
    Examined.Good copy = verified;
    Fingerprint written = copy == null ? Fingerprint.NONE : copy.program();
    return new Result(resume, Optional.of(report), written);
  }

  private RestoreReport apply(CheckpointId id) {
    Examined.Good copy = verified;
    if (copy == null || !copy.id().equals(id)) {
      throw new IllegalStateException(
          member + " must resume from " + id + " without having verified it");
    }
    try {
      long bytes = copy.restore();
      LOG.info(
          "{} resumes from {} at {} ({}), {} bytes",
          member,
          id,
          copy.level(),
          copy.source(),
          bytes);
      return new RestoreReport(id, copy.level(), copy.source(), bytes, copy.dropped(), attempts);
    } catch (IOException e) {
      throw new RestoreException(
          id
              + " verified, but went bad while it was restored; the protected regions are in part"
              + " overwritten, restore again: "
              + e.getMessage());
    }
  }

  private Result afresh(
      CoordinatorMessage.Resume resume, List<Candidate> offered, boolean othersExist) {
    if (!resume.refusals().isEmpty()) {
      throw new RestoreException(
          member
              + ": no checkpoint could be restored. "
              + resume.refusals()
              + ". Tried: "
              + attempts.stream().map(Attempt::toString).collect(Collectors.joining("; "))
              + ". If what is missing is lost for good, start afresh with resume=never (on Spark"
              + " spark.cairn.resume=never) or with another name for the group");
    }
    if (othersExist) {
      // to continue would leave the line of those that exist
      throw new RestoreException(member + ": no rank has a checkpoint that was asked for");
    }
    if (!offered.isEmpty()) {
      LOG.warn(
          "{} starts afresh: {} is not at all ranks, and no checkpoint of the group ever was",
          member,
          offered.get(0).id());
    }
    return new Result(resume, Optional.empty(), Fingerprint.NONE);
  }

  private void release() {
    Examined.Good copy = verified;
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
