package io.cairn.engine.runtime;

import io.cairn.Level;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.nodes.PeerWriter;
import io.cairn.engine.nodes.StagedWriter;
import io.cairn.engine.nodes.StagingProcesses;
import io.cairn.engine.nodes.StoreServers;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NodeCleaning;
import io.cairn.engine.promotion.NodeWriter;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.engine.promotion.StoreWriter;
import io.cairn.engine.promotion.Uptime;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.pipeline.Stage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One line of the list of levels below DEVICE: where it reads from and what writes it. A level is
 * added by a line here, a writer, and its settings.
 *
 * @param writer makes the writer, of the places that are open
 */
record StepPlan(Level level, Level readsFrom, Function<Levels, LevelWriter> writer) {
  /** The levels of every process; PEER is added by {@link #of}. */
  static final List<StepPlan> ALL =
      List.of(
          new StepPlan(Level.NODE, Level.DEVICE, StepPlan::node),
          new StepPlan(Level.STORE, Level.NODE, StepPlan::store));

  /** The levels of a process with this configuration. */
  static List<StepPlan> of(CairnConfig config) {
    if (!config.peer().on()) {
      return ALL;
    }
    List<StepPlan> steps = new ArrayList<>(ALL);
    steps.add(1, new StepPlan(Level.PEER, Level.NODE, StepPlan::peer));
    return List.copyOf(steps);
  }

  private static LevelWriter node(Levels levels) {
    return new NodeWriter(
        levels.home(),
        levels.node(),
        levels.groups(),
        new ContainerWriter(levels.config().chunkBytes(), levels.config().codecs().node()),
        levels.config().keep(),
        levels.config().layers().node(),
        new NodeCleaning(
            levels.home(), levels.node(), levels.config().nodeExpiry(), Uptime.ofMachine()),
        levels.observers()::publish);
  }

  private static LevelWriter peer(Levels levels) {
    return new PeerWriter(
        levels.node(), levels.groups(), levels.partners(), levels.config().keep());
  }

  private static LevelWriter store(Levels levels) {
    StagingSettings staging = levels.config().staging();
    StoreWriter own =
        new StoreWriter(
            levels.store(),
            () ->
                new ContainerWriter(levels.config().chunkBytes(), levels.config().codecs().store()),
            levels.config().storeThreads(),
            levels.config().storeWriters()::forState,
            staging.on() ? 0 : levels.config().layers().store(),
            levels.observers()::publish);
    if (!staging.on()) {
      return own;
    }
    return new StagedWriter(
        own,
        levels.groups(),
        staging.nodes() > 0 ? levels.stagingServers() : stagingProcesses(levels),
        levels.observers()::publish,
        System::nanoTime);
  }

  private static StoreServers stagingProcesses(Levels levels) {
    return new StagingProcesses(
        levels.config().staging(),
        "process " + ManagementFactory.getRuntimeMXBean().getName(),
        levels.home(),
        levels.groups(),
        System::nanoTime);
  }

  /** Starts the stage of the level. */
  PromotionStep start(Levels levels) {
    LevelWriter opened = writer.apply(levels);
    Stage stage =
        Stage.start(
            level.name().toLowerCase(Locale.ROOT), levels.config().queueBytes(), opened.threads());
    return new PromotionStep(level, readsFrom, stage, opened);
  }
}
