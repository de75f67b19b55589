package io.cairn.engine.runtime;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.Promoted;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A level whose every write passes a gate first, which may wait or throw. Thread-safe. */
final class GatedLevel implements LevelWriter {
  /** Is asked before a checkpoint is written. */
  interface Gate {
    void pass() throws IOException;
  }

  private final LevelWriter below;
  private volatile Gate gate = () -> {};

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

  @Override
  public CopySource copies() {
    return below.copies();
  }

  @Override
  public Optional<ContainerSummary> write(Promoted checkpoint, Copy source) throws IOException {
    gate.pass();
    return below.write(checkpoint, source);
  }

  @Override
  public Optional<Origin> enter(GroupId group) throws IOException {
    return below.enter(group);
  }

  @Override
  public void begin(GroupId group, long epoch) {
    below.begin(group, epoch);
  }

  @Override
  public void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {
    below.retain(newest, sealed, needed);
  }

  @Override
  public void drop(CheckpointId id) throws IOException {
    below.drop(id);
  }
}
