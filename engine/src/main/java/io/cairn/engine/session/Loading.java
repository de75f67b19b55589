package io.cairn.engine.session;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.session.HeldCheckpoint;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads checkpoints of one rank into memory of the caller. Asks no coordinator: neither the group's
 * epoch nor its agreement changes. The training thread owns it.
 */
record Loading(SessionContext context, Member member) {
  private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

  /** The checkpoints that can be read, the newest first. */
  List<HeldCheckpoint> checkpoints() {
    Plan plan = context.planners().planner().candidates(member);
    if (!plan.unreachable().isEmpty()) {
      LOG.warn("{}: not every source could be asked: {}", member, plan.unreachable());
    }
    return plan.choices().stream()
        .map(choice -> new HeldCheckpoint(choice.id(), choice.levels()))
        .toList();
  }

  /** Reads these regions, as {@link io.cairn.core.session.Checkpointer#load} says. */
  Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
    if (!id.group().equals(member.group())) {
      throw new IllegalArgumentException(member + " cannot load " + id + " of another group");
    }
    ProtectedRegions regions =
        new ProtectedRegions(context.cache().memory(), context.cache().chunkBytes());
    into.forEach(regions::protect);
    StagingBuffer staging = new StagingBuffer();
    Verification verification = context.planners().planner().verify(id, member, staging);
    if (verification instanceof VerifiedCopy copy) {
      return Optional.of(read(copy, regions, staging));
    } else if (verification instanceof Verification.Refused refused) {
      if (refused.attempts().isEmpty()) {
        return Optional.empty();
      }
      throw new RestoreException(
          "%s cannot load %s: %s. Tried: %s"
              .formatted(member, id, refused.reason(), refused.attempts()));
    }
    throw new IllegalStateException("no verification ends as " + verification);
  }

  private RestoreReport read(
      VerifiedCopy verified, ProtectedRegions regions, StagingBuffer staging) {
    try (VerifiedCopy copy = verified) {
      long bytes =
          regions.load(
              copy.images(),
              copy.program(),
              copy.readers(),
              staging.forChunksOf(copy.images()),
              copy.id().toString());
      LOG.info("{} loaded {} bytes of {} at {}", member, bytes, copy.id(), copy.level());
      return new RestoreReport(copy.id(), copy.level(), copy.source(), bytes, copy.attempts());
    } catch (IOException e) {
      throw new RestoreException(
          verified.id()
              + " verified, but went bad while it was loaded; the given regions are in part"
              + " overwritten: "
              + e.getMessage());
    }
  }
}
