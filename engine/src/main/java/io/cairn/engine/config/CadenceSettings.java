package io.cairn.engine.config;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.FixedCadence;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the settings of the cadence. */
final class CadenceSettings {
  private static final double STALL_BUDGET = 0.01;
  private static final String ADAPTIVE = "adaptive";
  private static final String FIXED = "fixed";

  /** How the periods are chosen. */
  static final ValueType<Choice> CHOICE =
      new ValueType<>("fixed, adaptive, or with a part, such as adaptive:1%", Choice::parse);

  private static final Logger LOG = LoggerFactory.getLogger(CadenceSettings.class);
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);
  private static final Set<Level> WITH_PEER = Set.of(Level.values());

  private CadenceSettings() {}

  /**
   * How the periods are chosen.
   *
   * @param adaptive whether they follow measurements
   * @param stallBudget the part of the run time for which captures may block the training then
   */
  record Choice(boolean adaptive, double stallBudget) {
    static Optional<Choice> parse(String text) {
      String part = text.startsWith(ADAPTIVE + ":") ? text.substring(ADAPTIVE.length() + 1) : "";
      return switch (text) {
        case ADAPTIVE -> Optional.of(new Choice(true, STALL_BUDGET));
        case FIXED -> Optional.of(new Choice(false, STALL_BUDGET));
        default -> ValueType.PART.parse().apply(part).map(budget -> new Choice(true, budget));
      };
    }
  }

  /**
   * An explicitly configured period disables adaptation, unless {@code cadence} enables it. The
   * defaults of {@code node.within} and its like hold for an adaptive cadence only.
   *
   * @param peer whether there is a level PEER
   */
  static CadencePolicy policy(SettingValues given, boolean peer) {
    Optional<Long> peerEvery = given.find(every(Level.PEER)); // checked without the level, too
    FixedCadence periods = periods(given, peer ? peerEvery : Optional.empty());
    Set<Level> levels = peer ? WITH_PEER : LEVELS;
    boolean periodGiven = levels.stream().anyMatch(level -> given.has(every(level)));
    Choice choice = given.find(Setting.CADENCE).orElse(new Choice(!periodGiven, STALL_BUDGET));
    AdaptiveSettings settings = settings(given, levels, choice.stallBudget());
    CadencePolicy policy =
        choice.adaptive()
            ? CadencePolicy.adaptive(settings, periods)
            : CadencePolicy.fixed(periods, within(given, levels, true));
    return peer ? policy.startingWith(Level.PEER, peerEvery(given, peerEvery, periods)) : policy;
  }

  private static Setting<Long> every(Level level) {
    return Setting.EVERY.at(level);
  }

  private static long peerEvery(
      SettingValues given, Optional<Long> configured, FixedCadence periods) {
    long every = configured.orElse(periods.nodeEvery());
    if (every % periods.nodeEvery() != 0 || periods.storeEvery() % every != 0) {
      throw given.illegal(
          every(Level.PEER),
          String.format(
              Locale.ROOT,
              "a multiple of node.every (%d) that divides store.every (%d)",
              periods.nodeEvery(),
              periods.storeEvery()));
    }
    return every;
  }

  /** Rounds a default period so that it fits the configured ones. */
  private static FixedCadence periods(SettingValues given, Optional<Long> peer) {
    long device = given.get(every(Level.DEVICE));
    long node = given.get(every(Level.NODE));
    long store = given.get(every(Level.STORE));
    if (!given.has(every(Level.DEVICE))) {
      device = 1;
    }
    if (!given.has(every(Level.NODE))) {
      node = up(node, device);
      long multiple = peer.orElse(given.has(every(Level.STORE)) ? store : node);
      while (node > device && multiple % node != 0) {
        node -= device;
      }
      report(every(Level.NODE), node, given);
    }
    if (!given.has(every(Level.STORE))) {
      store = up(store, peer.isPresent() && peer.get() % node == 0 ? peer.get() : node);
      report(every(Level.STORE), store, given);
    }
    return new FixedCadence(device, node, store);
  }

  private static long up(long period, long multipleOf) {
    return Math.multiplyExact(-Math.floorDiv(-period, multipleOf), multipleOf);
  }

  private static void report(Setting<Long> setting, long rounded, SettingValues given) {
    if (rounded != given.get(setting)) {
      LOG.info(
          "{} is {}: its default {} does not fit the configured periods",
          setting.name(),
          rounded,
          setting.defaultValue());
    }
  }

  /** Checked for a fixed cadence, too, so that a wrong value is rejected at once. */
  private static AdaptiveSettings settings(
      SettingValues given, Set<Level> levels, double stallBudget) {
    Map<Level, Double> mtbf = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      mtbf.put(level, seconds(given.get(Setting.MTBF.at(level))));
    }
    return new AdaptiveSettings(mtbf, stallBudget, levels, Set.of(), within(given, levels, false));
  }

  /** Checks the bounds of levels that there are not, too. */
  private static Map<Level, Double> within(
      SettingValues given, Set<Level> levels, boolean explicitOnly) {
    Map<Level, Double> seconds = new EnumMap<>(Level.class);
    for (Level level : List.of(Level.NODE, Level.PEER, Level.STORE)) {
      Setting<Optional<Duration>> setting = Setting.WITHIN.at(level);
      if (given.has(setting) || !explicitOnly) {
        given.get(setting).ifPresent(time -> seconds.put(level, seconds(time)));
      }
    }
    seconds.keySet().retainAll(levels);
    return seconds;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
