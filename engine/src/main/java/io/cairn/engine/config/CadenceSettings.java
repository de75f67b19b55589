package io.cairn.engine.config;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.FixedCadence;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the settings of the cadence. */
final class CadenceSettings {
  /** The age that the newest checkpoint at PEER may reach. */
  static final Setting PEER_WITHIN =
      new Setting("peer.within", "5m", "The same for PEER, if `peer.scheme` is not `none`.");

  private static final Logger LOG = LoggerFactory.getLogger(CadenceSettings.class);
  private static final String ADAPTIVE = "adaptive";
  private static final String FIXED = "fixed";
  private static final String OFF = "off";
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);
  private static final Set<Level> WITH_PEER = Set.of(Level.values());

  private CadenceSettings() {}

  /**
   * An explicitly configured period disables adaptation, unless {@code cadence} enables it. The
   * defaults of {@code node.within} and its like hold for an adaptive cadence only.
   *
   * @param peer whether there is a level PEER
   */
  static CadencePolicy policy(SettingValues given, boolean peer) {
    FixedCadence periods = periods(given);
    Set<Level> levels = peer ? WITH_PEER : LEVELS;
    AdaptiveSettings settings = settings(given, levels);
    boolean periodGiven =
        Stream.of(Setting.DEVICE_EVERY, Setting.NODE_EVERY, Setting.PEER_EVERY, Setting.STORE_EVERY)
            .anyMatch(given::has);
    String asked = given.text(Setting.CADENCE);
    String chosen = asked.isEmpty() ? (periodGiven ? FIXED : ADAPTIVE) : asked;
    CadencePolicy policy =
        switch (chosen) {
          case ADAPTIVE -> CadencePolicy.adaptive(settings, periods);
          case FIXED -> fixed(given, periods, levels);
          default -> throw given.illegal(Setting.CADENCE, ADAPTIVE + " or " + FIXED);
        };
    return peer ? policy.startingWith(Level.PEER, peerEvery(given, periods)) : policy;
  }

  private static long peerEvery(SettingValues given, FixedCadence periods) {
    if (!given.has(Setting.PEER_EVERY)) {
      return periods.nodeEvery();
    }
    long every = given.period(Setting.PEER_EVERY);
    if (every % periods.nodeEvery() != 0 || periods.storeEvery() % every != 0) {
      throw given.illegal(
          Setting.PEER_EVERY,
          String.format(
              Locale.ROOT,
              "a multiple of node.every (%d) that divides store.every (%d)",
              periods.nodeEvery(),
              periods.storeEvery()));
    }
    return every;
  }

  private static CadencePolicy fixed(SettingValues given, FixedCadence periods, Set<Level> levels) {
    if (given.has(Setting.STALL_BUDGET)) {
      LOG.warn("{} has no effect: the cadence is fixed", Setting.STALL_BUDGET.name());
    }
    return CadencePolicy.fixed(periods, within(given, levels, true));
  }

  /** Rounds a default period so that it fits the configured ones. */
  private static FixedCadence periods(SettingValues given) {
    long device = given.period(Setting.DEVICE_EVERY);
    long node = given.period(Setting.NODE_EVERY);
    long store = given.period(Setting.STORE_EVERY);
    if (!given.has(Setting.DEVICE_EVERY)) {
      device = 1;
    }
    if (!given.has(Setting.NODE_EVERY)) {
      node = up(node, device);
      while (given.has(Setting.STORE_EVERY) && node > device && store % node != 0) {
        node -= device;
      }
      report(Setting.NODE_EVERY, node, given);
    }
    if (!given.has(Setting.STORE_EVERY)) {
      store = up(store, node);
      report(Setting.STORE_EVERY, store, given);
    }
    return new FixedCadence(device, node, store);
  }

  private static long up(long period, long multipleOf) {
    return Math.multiplyExact(-Math.floorDiv(-period, multipleOf), multipleOf);
  }

  private static void report(Setting setting, long rounded, SettingValues given) {
    if (rounded != given.period(setting)) {
      LOG.info(
          "{} is {}: its default {} does not fit the configured periods",
          setting.name(),
          rounded,
          setting.defaultValue());
    }
  }

  /** Checked for a fixed cadence, too, so that a wrong value is rejected at once. */
  private static AdaptiveSettings settings(SettingValues given, Set<Level> levels) {
    return new AdaptiveSettings(
        Map.of(
            Level.DEVICE, seconds(given, Setting.MTBF_DEVICE),
            Level.NODE, seconds(given, Setting.MTBF_NODE),
            Level.PEER, seconds(given, Setting.MTBF_PEER),
            Level.STORE, seconds(given, Setting.MTBF_STORE)),
        given.part(Setting.STALL_BUDGET),
        levels,
        Set.of(),
        within(given, levels, false));
  }

  /** Checks the bounds of levels that there are not, too. */
  private static Map<Level, Double> within(
      SettingValues given, Set<Level> levels, boolean explicitOnly) {
    Map<Level, Double> seconds = new EnumMap<>(Level.class);
    Map.of(
            Level.NODE, Setting.NODE_WITHIN,
            Level.PEER, PEER_WITHIN,
            Level.STORE, Setting.STORE_WITHIN)
        .forEach(
            (level, setting) -> {
              boolean used = given.has(setting) || !explicitOnly;
              if (used && !given.text(setting).equals(OFF)) {
                seconds.put(level, seconds(given, setting));
              }
            });
    seconds.keySet().retainAll(levels);
    return seconds;
  }

  private static double seconds(SettingValues given, Setting setting) {
    long millis = given.duration(setting).toMillis();
    if (millis <= 0) {
      throw given.illegal(setting, "a time above 0");
    }
    return millis / 1e3;
  }
}
