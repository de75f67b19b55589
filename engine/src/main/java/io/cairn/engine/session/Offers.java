package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints that one rank can offer to its group. Asks every source, waits for a store that
 * fails, and throws where going on would lose work in silence. Used once, by the training thread.
 */
final class Offers {
  /*
   * Other sizes
   *
   * The line of a group may have checkpoints of several numbers of ranks. One of another size is
   * offered if every protected region has a layout; whether it fits is found when it is read. If it
   * cannot be offered and is the newest, the restore fails: an older one would lose work.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Offers.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LAST_PAUSE_MILLIS = 1000;

  /** The note at STORE may say only half of the work that the copy at NODE saves. */
  private static final int MOST_TIMES_ITS_WORK = 2;

  private final Membership membership;
  private final Member member;
  private final Planners planners;
  private final ProtectedRegions regions;
  private final Start start;
  private final Supplier<StoreWait> waits;
  private final LongSupplier nanoTime;

  /** Ranks of the group that wrote a checkpoint, as far as a survey has shown it. */
  private final Map<CheckpointId, Integer> sizes = new HashMap<>();

  /** The planner of the last survey, until it is taken. */
  private Optional<RestorePlanner> surveyed = Optional.empty();

  /** The coordinator's, if the last survey used it. */
  private Optional<RankSurvey> atStore = Optional.empty();

  /** Whether this rank has waited for the copy at NODE that its group knows; it does so once. */
  private boolean waited;

  private boolean outOfReach;

  Offers(
      Membership membership,
      Member member,
      Planners planners,
      ProtectedRegions regions,
      Start start,
      Supplier<StoreWait> waits,
      LongSupplier nanoTime) {
    this.membership = membership;
    this.member = member;
    this.planners = planners;
    this.regions = regions;
    this.start = start;
    this.waits = waits;
    this.nanoTime = nanoTime;
  }

  /** The wanted checkpoints of a plan that this rank can offer, newest first. */
  List<Plan.Choice> of(Plan plan, Predicate<CheckpointId> wanted) {
    return readable(plan, regions).filter(choice -> wanted.test(choice.id())).toList();
  }

  /** The checkpoints of which these regions can be read, newest first. */
  static Stream<Plan.Choice> readable(Plan plan, ProtectedRegions regions) {
    Stream<Plan.Choice> otherSize =
        regions.layouts().lacking().isEmpty() ? plan.otherSize().stream() : Stream.empty();
    return Stream.concat(plan.choices().stream(), otherSize)
        .sorted(Comparator.comparing(Plan.Choice::id).reversed());
  }

  /** Ranks of the group that wrote a checkpoint. */
  int size(CheckpointId id) {
    return sizes.getOrDefault(id, member.size());
  }

  /** The planner of the last survey, which has read manifests already; another one after that. */
  RestorePlanner takePlanner() {
    RestorePlanner planner = surveyed.orElseGet(planners::planner);
    surveyed = Optional.empty();
    return planner;
  }

  /**
   * A complete plan. Restore fails rather than losing more work than necessary in an outage of
   * STORE. It does without a checkpoint there that is older than a choice and stays unreadable.
   * Nearer copies may be gone for good, so they are asked again for two seconds only.
   *
   * @throws RestoreException if a newer checkpoint than those on offer may exist, or does
   */
  Plan survey(Predicate<CheckpointId> wanted) {
    StoreWait wait = waits.get();
    Plan plan = awaitNode(complete(candidates(), wait), wait, wanted);
    if (start.policy() == ResumePolicy.NEVER) {
      Plan own = ofThisRun(plan);
      requireOwn(own);
      requireReachable(own);
      return own;
    }
    requireReachable(plan);
    requireUsable(plan, wanted);
    return plan;
  }

  /** Any survey may find STORE out of reach, one that asks nearer copies again as well. */
  private Plan complete(Plan first, StoreWait wait) {
    Plan plan = first;
    long millis = FIRST_PAUSE_MILLIS;
    while (!plan.unreachable().isEmpty()) {
      if (storeUnreachable(plan)) {
        if (!pause(wait, plan.unreachable().toString())) {
          return plan;
        }
      } else if (millis <= LAST_PAUSE_MILLIS) {
        membership.pause(millis);
        millis *= 2;
      } else {
        return plan;
      }
      plan = candidates();
    }
    return plan;
  }

  /** Whether this rank does without a newer copy at NODE, since no process reads it. */
  boolean outOfReach() {
    return outOfReach;
  }

  /**
   * Waits for the node that is known to have a newer copy than all at hand. The wait ends when the
   * node answers, and lasts no longer than that copy can save.
   */
  private Plan awaitNode(Plan plan, StoreWait wait, Predicate<CheckpointId> wanted) {
    Optional<NodeSeal.Copy> known =
        membership
            .atNode()
            .filter(copy -> !waited && wanted.test(copy.id()) && lacks(plan, wanted, copy));
    if (known.isEmpty() || !isOfThisRun(known.get(), plan)) {
      return plan;
    }
    NodeSeal.Copy copy = known.get();
    Planners.Nodes nodes = planners.nodes();
    Duration most = worthWaiting(copy, of(plan, wanted));
    LOG.info(
        "{} waits up to {} ms for {}, which has {} at NODE",
        member,
        most.toMillis(),
        copy.node(),
        copy.id().label());
    Plan asked = plan;
    long end = nanoTime.getAsLong() + most.toNanos();
    boolean answered = false;
    boolean over = false;
    waited = true;
    while (lacks(asked, wanted, copy) && !answered && !over) {
      over = nanoTime.getAsLong() >= end;
      if (nodes.isReached(copy.node())) {
        asked = complete(candidates(atStore), wait); // nobody commits before all have agreed
        answered = nodes.isReached(copy.node()); // a process that did not answer is passed over
      } else if (!over) {
        membership.pause(FIRST_PAUSE_MILLIS);
      }
    }
    outOfReach = lacks(asked, wanted, copy);
    return asked;
  }

  /**
   * A new run with {@code resume=never} takes nothing of an earlier one. The process that retries a
   * rank did not begin the run's first epoch, so a checkpoint at hand may show an earlier one.
   */
  private boolean isOfThisRun(NodeSeal.Copy copy, Plan atHand) {
    return start.policy() != ResumePolicy.NEVER || copy.id().epoch() >= firstEpoch(own(atHand));
  }

  /** The first epoch that this run has begun, as far as a plan of its checkpoints shows it. */
  private long firstEpoch(Plan own) {
    return all(own)
        .mapToLong(choice -> choice.id().epoch())
        .reduce(membership.standing().first(), Math::min);
  }

  private boolean lacks(Plan plan, Predicate<CheckpointId> wanted, NodeSeal.Copy copy) {
    return of(plan, wanted).stream().allMatch(choice -> choice.id().compareTo(copy.id()) < 0);
  }

  /** To compute again what is lost must not be faster. */
  private Duration worthWaiting(NodeSeal.Copy copy, List<Plan.Choice> atHand) {
    Duration patience = planners.nodes().patience();
    long from = atHand.isEmpty() ? -1 : atHand.get(0).id().iteration();
    long lost = copy.id().iteration() - from;
    if (lost <= 0 || copy.nanosPerIteration() == 0) {
      return patience; // the work since a rollback is not known
    }
    double work = (double) MOST_TIMES_ITS_WORK * lost * copy.nanosPerIteration();
    return work < patience.toNanos() ? Duration.ofNanos((long) work) : patience;
  }

  /** Asks every source but STORE, which the coordinator has surveyed; again, it asks STORE too. */
  Plan candidates() {
    atStore = membership.takeSurvey();
    return candidates(atStore);
  }

  private Plan candidates(Optional<RankSurvey> ofStore) {
    RestorePlanner planner = planners.planner(ofStore);
    surveyed = Optional.of(planner);
    Plan plan = planner.candidates(member);
    plan.otherSize().forEach(choice -> sizes.put(choice.id(), choice.size()));
    return plan;
  }

  /** Pauses before the next try; false if there is none. */
  boolean pause(StoreWait wait, String failure) {
    OptionalLong millis = wait.failed(failure);
    millis.ifPresent(membership::pause);
    return millis.isPresent();
  }

  /** Only what this run wrote: a retry resumes, although the run started afresh. */
  private Plan ofThisRun(Plan plan) {
    Plan own = own(plan);
    all(plan)
        .filter(choice -> all(own).noneMatch(choice::equals))
        .map(Plan.Choice::id)
        .max(Comparator.naturalOrder())
        .ifPresent(
            newest ->
                LOG.warn(
                    "{} does not resume from {} of an earlier run, since resume (on Spark"
                        + " spark.cairn.resume) is never",
                    member,
                    newest));
    long first = firstEpoch(own);
    return new Plan(
        own.choices(),
        own.otherSize(),
        plan.refused(),
        List.of(),
        plan.unreachable().stream().filter(each -> mayHideOwn(each, first)).toList(),
        plan.unread());
  }

  /** The plan without the checkpoints that another run wrote. */
  private Plan own(Plan plan) {
    RestorePlanner planner = surveyed.orElseGet(planners::planner);
    return new Plan(
        plan.choices().stream().filter(choice -> isOwn(ofOwnRank(planner, choice))).toList(),
        plan.otherSize().stream().filter(choice -> isOwn(ofRank0(planner, choice))).toList(),
        plan.refused(),
        plan.damaged(),
        plan.unreachable(),
        plan.unread());
  }

  private boolean isOwn(Fingerprint writer) {
    return writer.sameRunAs(regions.program());
  }

  private static Stream<Plan.Choice> all(Plan plan) {
    return Stream.concat(plan.choices().stream(), plan.otherSize().stream());
  }

  /** A manifest of an epoch before the first of this run hides nothing that this run wrote. */
  private boolean mayHideOwn(Plan.Unreachable unreachable, long first) {
    boolean may = unreachable.checkpoint().map(id -> id.epoch() >= first).orElse(true);
    if (!may) {
      LOG.warn("{} passes over what this run did not write: {}", member, unreachable);
    }
    return may;
  }

  /** A manifest names the program of a copy that cannot be read now. */
  private Fingerprint ofOwnRank(RestorePlanner planner, Plan.Choice choice) {
    Fingerprint read = planner.program(choice.id(), member);
    return read.isEmpty()
        ? planner
            .programs(choice.id(), member.size())
            .byRank()
            .getOrDefault(member.rank(), Fingerprint.NONE)
        : read;
  }

  /** According to the manifests: other nodes answer for the own rank alone. */
  private static Fingerprint ofRank0(RestorePlanner planner, Plan.Choice choice) {
    return planner.programs(choice.id(), choice.size()).byRank().getOrDefault(0, Fingerprint.NONE);
  }

  private static boolean storeUnreachable(Plan plan) {
    return plan.unreachable().stream()
        .anyMatch(source -> LevelSpec.of(source.level()).isCommitted());
  }

  private void refuse(String reason) {
    throw new RestoreException(member + ": " + reason);
  }

  /** A retry that found nothing else of its own would begin at 0. */
  private void requireOwn(Plan own) {
    if (own.choices().isEmpty() && own.otherSize().isEmpty() && !own.passedOver().isEmpty()) {
      refuse(
          "this run may have written "
              + own.passedOver()
              + ", which cannot be read at STORE: "
              + own.unreachable()
              + ". If it is lost for good, start the job once more: with resume=never a new run"
              + " starts afresh");
    }
  }

  private void requireReachable(Plan plan) {
    plan.refusal(start.olderIfUnreadable()).ifPresent(this::refuse);
    if (!plan.passedOver().isEmpty()) {
      LOG.error(
          "{}: {} could not be read at STORE within store.patience. An older checkpoint is"
              + " restored, and newer work is lost; store.unreadable (on Spark"
              + " spark.cairn.store.unreadable) set to refuse would fail instead: {}",
          member,
          plan.passedOver(),
          plan.unreachable());
    } else if (!plan.unreachable().isEmpty()) {
      LOG.warn("{}: not every source could be asked: {}", member, plan.unreachable());
    }
  }

  private void requireUsable(Plan plan, Predicate<CheckpointId> wanted) {
    List<Plan.Choice> offers = of(plan, wanted);
    for (Plan.Choice other : plan.otherSize()) {
      boolean newest = offers.isEmpty() || offers.get(0).id().compareTo(other.id()) < 0;
      if (newest && wanted.test(other.id())) {
        throw new RestoreException(
            String.format(
                Locale.ROOT,
                ("%s was written by %d ranks, this group has %d: join with %d ranks, or give the"
                    + " group another name to start afresh. Another number of ranks can resume"
                    + " from it if these regions are protected as replicated, as slices or as"
                    + " dropped: %s"),
                other.id(),
                other.size(),
                member.size(),
                other.size(),
                regions.layouts().lacking()));
      }
    }
    if (offers.isEmpty() && plan.damaged().stream().anyMatch(wanted)) {
      throw new RestoreException(
          member
              + ": no checkpoint can be restored, all are damaged: "
              + plan.refused()
              + ". Give the group another name to start afresh");
    }
  }
}
