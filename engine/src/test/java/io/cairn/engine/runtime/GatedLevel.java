package io.cairn.engine.runtime;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.Promoted;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A level whose writes and listings pass gates first, which may wait or throw. Thread-safe. */
final class GatedLevel implements LevelWriter {
  /** Is asked before an operation. */
  interface Gate {
    void pass() throws IOException;
  }

  private final LevelWriter below;
  private volatile Gate gate = () -> {};
  private volatile Gate listings = () -> {};
  private volatile Consumer<CheckpointId> retained = id -> {};

  private GatedLevel(LevelWriter below) {
    this.below = below;
  }

  /** NODE behind a gate. */
  static GatedLevel node(Levels levels) {
    return new GatedLevel(StepPlan.ALL.get(0).writer().apply(levels));
  }

  void gate(Gate next) {
    gate = next;
  }

  /** Sets the gate before the checkpoints of a group are listed. */
  void listings(Gate next) {
    listings = next;
  }

  /** Sets the receiver of each checkpoint after whose seal old ones were deleted. */
  void retained(Consumer<CheckpointId> next) {
    retained = next;
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    CopySource copies = below.copies(atStore);
    return new CopySource() {
      @Override
      public Level level() {
        return copies.level();
      }

      @Override
      public String describe() {
        return copies.describe();
      }

      @Override
      public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
        listings.pass();
        return copies.holdings(member);
      }

      @Override
      public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
        return copies.open(id, rank);
      }
    };
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    gate.pass();
    return below.write(checkpoint, nearest);
  }

  @Override
  public Optional<Origin> enter(GroupId group) throws IOException {
    return below.enter(group);
  }

  @Override
  public void begin(Member member, long epoch, boolean claimed) {
    below.begin(member, epoch, claimed);
  }

  @Override
  public void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {
    below.retain(newest, sealed, needed);
    retained.accept(newest);
  }

  @Override
  public void drop(CheckpointId id) throws IOException {
    below.drop(id);
  }
}
