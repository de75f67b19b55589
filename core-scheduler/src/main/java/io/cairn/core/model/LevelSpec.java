package io.cairn.core.model;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One line of the list of levels: what Cairn knows of a level. Other code works over {@link #ALL},
 * or asks a line for a property, and so names no level but DEVICE. Immutable.
 *
 * @param level its name, and its place in the order of the failures that levels survive
 * @param readsFrom the level whose copies it is made of; DEVICE names itself
 * @param keeper who keeps its copies; code that writes there is chosen by it
 * @param always whether every process has the level; otherwise a setting adds it
 * @param every iterations between two checkpoints, until the cadence adapts; if it is empty, those
 *     of the level that this one reads from
 * @param within the age that its newest checkpoint may reach; empty if no setting can bound it
 * @param mtbf mean time between failures that need the level, as assumed at the start
 * @param color in pictures, as CSS has it
 */
public record LevelSpec(
    Level level,
    Level readsFrom,
    Keeper keeper,
    boolean always,
    OptionalLong every,
    Optional<Duration> within,
    Duration mtbf,
    String color) {
  /** All levels, the lowest first. */
  public static final List<LevelSpec> ALL =
      List.of(
          new LevelSpec(
              Level.DEVICE,
              Level.DEVICE,
              Keeper.PROCESS,
              true,
              OptionalLong.of(1),
              Optional.empty(),
              Duration.ofMinutes(10),
              "#7cc4ef"),
          new LevelSpec(
              Level.NODE,
              Level.DEVICE,
              Keeper.MACHINE,
              true,
              OptionalLong.of(10),
              Optional.of(Duration.ofMinutes(1)),
              Duration.ofMinutes(10),
              "#009e73"),
          new LevelSpec(
              Level.PEER,
              Level.NODE,
              Keeper.OTHER_MACHINES,
              false,
              OptionalLong.empty(),
              Optional.of(Duration.ofMinutes(5)),
              Duration.ofHours(1),
              "#cc79a7"),
          new LevelSpec(
              Level.STORE,
              Level.NODE,
              Keeper.STORE,
              true,
              OptionalLong.of(50),
              Optional.of(Duration.ofMinutes(10)),
              Duration.ofHours(6),
              "#2b74b8"));

  /** The keeper of a level's copies, which decides the failures that they survive. */
  public enum Keeper {
    /** The process that captured them. */
    PROCESS,
    /** The machine of that process, whose processes serve them to other machines. */
    MACHINE,
    /**
     * Other machines. They fetch the files that the level below holds, which therefore must be
     * whole. There may be no such machine for long.
     */
    OTHER_MACHINES,
    /** A store apart from all machines: the group's coordinator commits what is there. */
    STORE
  }

  private static final Map<Level, LevelSpec> BY_LEVEL = new EnumMap<>(Level.class);
  private static final Map<Keeper, Level> BY_KEEPER = new EnumMap<>(Keeper.class);

  static {
    for (LevelSpec spec : ALL) {
      BY_LEVEL.put(spec.level, spec);
      BY_KEEPER.put(spec.keeper, spec.level);
    }
  }

  /** The line of a level. */
  public static LevelSpec of(Level level) {
    return requireNonNull(BY_LEVEL.get(level));
  }

  /** The level whose copies this keeper keeps. */
  public static Level keptBy(Keeper keeper) {
    return requireNonNull(BY_KEEPER.get(keeper));
  }

  /** The level at which a checkpoint is sealed by a commit of the coordinator. */
  public static Level committed() {
    return keptBy(Keeper.STORE);
  }

  /** Whether a commit of the coordinator seals checkpoints here, and not the ranks' word alone. */
  public boolean isCommitted() {
    return keeper == Keeper.STORE;
  }

  /** Whether other machines fetch what the level below holds, and nothing else. */
  public boolean isFetched() {
    return keeper == Keeper.OTHER_MACHINES;
  }

  /** Whether processes serve the copies of their machine at this level to other machines. */
  public boolean isServed() {
    return keeper == Keeper.MACHINE || isFetched();
  }

  /** Whether checkpoints are brought here from the process that captured them. */
  public boolean isBelowDevice() {
    return keeper != Keeper.PROCESS;
  }
}
