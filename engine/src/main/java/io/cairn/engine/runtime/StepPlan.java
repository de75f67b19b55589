package io.cairn.engine.runtime;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.nodes.PeerWriter;
import io.cairn.engine.nodes.StagedWriter;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NodeCleaning;
import io.cairn.engine.promotion.NodeWriter;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.engine.promotion.StoreWriter;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.pipeline.Stage;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How checkpoints are brought to one level below DEVICE, before the places of the process are open.
 * The list is made of that of the levels; the writer of a level is chosen by who keeps its copies.
 *
 * @param writer makes the writer, of the places that are open
 */
record StepPlan(Level level, Level readsFrom, Function<Levels, LevelWriter> writer) {
  /** The steps of every process. */
  static final List<StepPlan> ALL = of(LevelSpec.ALL.stream().filter(LevelSpec::always));

  /** The steps of a process with this configuration. */
  static List<StepPlan> of(CairnConfig config) {
    return of(config.levels().stream());
  }

  private static List<StepPlan> of(Stream<LevelSpec> levels) {
    return levels
        .filter(LevelSpec::isBelowDevice)
        .map(spec -> new StepPlan(spec.level(), spec.readsFrom(), open -> writer(spec, open)))
        .toList();
  }

  private static LevelWriter writer(LevelSpec spec, Levels levels) {
    return switch (spec.keeper()) {
      case PROCESS -> throw new IllegalArgumentException("captures write at " + spec.level());
      case MACHINE -> node(spec.level(), levels);
      case OTHER_MACHINES -> peer(spec.level(), levels);
      case STORE -> store(spec.level(), levels);
    };
  }

  private static LevelWriter node(Level level, Levels levels) {
    return new NodeWriter(
        level,
        levels.home(),
        levels.node(),
        levels.groups(),
        new ContainerWriter(levels.config().chunkBytes(), levels.config().codecs().at(level)),
        levels.config().keep(),
        levels.config().layers().at(level),
        new NodeCleaning(
            levels.home(),
            levels.node(),
            levels.config().nodeExpiry(),
            levels.environment().uptime()),
        levels.observers()::publish);
  }

  private static LevelWriter peer(Level level, Levels levels) {
    return new PeerWriter(
        level, levels.node(), levels.groups(), levels.partners(), levels.config().keep());
  }

  private static LevelWriter store(Level level, Levels levels) {
    StagingSettings staging = levels.config().staging();
    StoreWriter own =
        new StoreWriter(
            level,
            levels.store(),
            () ->
                new ContainerWriter(
                    levels.config().chunkBytes(), levels.config().codecs().at(level)),
            levels.config().storeWriters()::forState,
            staging.on() ? 0 : levels.config().layers().at(level),
            levels.observers()::publish);
    if (!staging.on()) {
      return own;
    }
    return new StagedWriter(
        own,
        levels.groups(),
        levels.stagingServers(),
        levels.observers()::publish,
        levels.environment().nanoTime());
  }

  /** Starts the stage of the level. */
  PromotionStep start(Levels levels) {
    LevelWriter opened = writer.apply(levels);
    Stage stage =
        levels
            .environment()
            .workers()
            .stage(
                level.name().toLowerCase(Locale.ROOT),
                levels.config().queueBytes(),
                LevelSpec.of(level).keeper() == LevelSpec.Keeper.STORE
                    ? levels.config().storeThreads()
                    : 1);
    return new PromotionStep(level, readsFrom, stage, opened);
  }
}
