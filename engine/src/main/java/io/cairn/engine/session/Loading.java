package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.RestoreReport.Attempt;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.StagingBuffer;
import io.cairn.engine.session.Examiner.Examined;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads checkpoints of one rank into memory of the caller. Asks no coordinator: neither the group's
 * epoch nor its agreement changes. The training thread owns it.
 *
 * @param present the protected regions, whose layouts say which elements are this rank's
 */
record Loading(SessionContext context, Member member, ProtectedRegions present) {
  private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

  /** The checkpoints that can be read, the newest first. */
  List<HeldCheckpoint> checkpoints() {
    Plan plan = context.planners().planner().candidates(member);
    if (!plan.unreachable().isEmpty()) {
      LOG.warn("{}: not every source could be asked: {}", member, plan.unreachable());
    }
    return Offers.readable(plan, present)
        .map(choice -> new HeldCheckpoint(choice.id(), choice.levels()))
        .toList();
  }

  /** Whether a checkpoint can be read at a level. */
  boolean isAt(CheckpointId id, Level level) {
    return checkpoints().stream()
        .anyMatch(held -> held.id().equals(id) && held.levels().contains(level));
  }

  /** Reads these regions, as {@link io.cairn.Checkpointer#load} says. */
  Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
    if (!id.group().equals(member.group())) {
      throw new IllegalArgumentException(
          member
              + " cannot load "
              + id
              + " of another group: checkpoints() lists those of its own");
    }
    ProtectedRegions regions =
        new ProtectedRegions(context.cache().memory(), context.cache().chunkBytes());
    into.forEach(region -> regions.protect(region, present.layouts().optionsOf(region.name())));
    RestorePlanner planner = context.planners().planner();
    StagingBuffer staging = new StagingBuffer();
    int size = regions.layouts().any() ? size(planner, id) : member.size();
    boolean own =
        size == member.size()
            && !regions.layouts().slicedOtherwise(() -> planner.program(id, member));
    Examined examined =
        own
            ? Examiner.examined(
                planner.verify(id, member, staging), copy -> write(copy, regions, staging))
            : ReshapedData.examine(
                planner,
                id,
                size,
                member,
                writers -> regions.loadParts(member.rank(), writers, id.toString()),
                staging);
    if (examined instanceof Examined.Good good) {
      return Optional.of(read(good));
    } else if (examined instanceof Examined.Refused refused) {
      return refused(id, refused.attempts(), refused.reason());
    }
    throw new IllegalStateException("no examination ends as " + examined);
  }

  private static long write(VerifiedCopy copy, ProtectedRegions regions, StagingBuffer staging)
      throws IOException {
    return regions.load(
        copy.images(),
        copy.program(),
        copy.readers(),
        staging.forChunksOf(copy.images()),
        copy.id().toString());
  }

  private Optional<RestoreReport> refused(CheckpointId id, List<Attempt> attempts, String reason) {
    if (attempts.isEmpty()) {
      return Optional.empty();
    }
    throw new RestoreException(
        "%s cannot load %s: %s. Tried: %s. checkpoints() lists those that can be read now"
            .formatted(member, id, reason, attempts));
  }

  /** Ranks of the group that wrote a checkpoint; as many as now if no source knows it. */
  private int size(RestorePlanner planner, CheckpointId id) {
    return planner.candidates(member).otherSize().stream()
        .filter(choice -> choice.id().equals(id))
        .findFirst()
        .map(Plan.Choice::size)
        .orElse(member.size());
  }

  private RestoreReport read(Examined.Good verified) {
    try (Examined.Good data = verified) {
      long bytes = data.restore();
      LOG.info("{} loaded {} bytes of {} at {}", member, bytes, data.id(), data.level());
      return new RestoreReport(
          data.id(), data.level(), data.source(), bytes, data.dropped(), data.attempts());
    } catch (IOException e) {
      throw new RestoreException(
          verified.id()
              + " verified, but went bad while it was loaded; the given regions are in part"
              + " overwritten, load it again: "
              + e.getMessage());
    }
  }
}
