package io.cairn.engine.config;

import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.Level;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the settings of the cadence. */
final class CadenceSettings {
  private static final String ADAPTIVE = "adaptive";
  private static final String FIXED = "fixed";
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);

  private CadenceSettings() {}

  /** An explicitly configured period disables adaptation, unless {@code cadence} enables it. */
  static CadencePolicy policy(SettingValues given) {
    FixedCadence periods =
        new FixedCadence(
            given.period(Setting.DEVICE_EVERY),
            given.period(Setting.NODE_EVERY),
            given.period(Setting.STORE_EVERY));
    AdaptiveSettings settings = settings(given);
    boolean periodGiven =
        Stream.of(Setting.DEVICE_EVERY, Setting.NODE_EVERY, Setting.STORE_EVERY)
            .anyMatch(given::has);
    String asked = given.text(Setting.CADENCE);
    String chosen = asked.isEmpty() ? (periodGiven ? FIXED : ADAPTIVE) : asked;
    return switch (chosen) {
      case ADAPTIVE -> CadencePolicy.adaptive(settings, periods);
      case FIXED -> CadencePolicy.fixed(periods);
      default -> throw given.illegal(Setting.CADENCE, ADAPTIVE + " or " + FIXED);
    };
  }

  /** Checked for a fixed cadence, too, so that a wrong value is rejected at once. */
  private static AdaptiveSettings settings(SettingValues given) {
    return new AdaptiveSettings(
        Map.of(
            Level.DEVICE, seconds(given, Setting.MTBF_DEVICE),
            Level.NODE, seconds(given, Setting.MTBF_NODE),
            Level.PEER, seconds(given, Setting.MTBF_PEER),
            Level.STORE, seconds(given, Setting.MTBF_STORE)),
        given.part(Setting.STALL_BUDGET),
        LEVELS,
        Set.of());
  }

  private static double seconds(SettingValues given, Setting setting) {
    long millis = given.duration(setting).toMillis();
    if (millis <= 0) {
      throw given.illegal(setting, "a time above 0");
    }
    return millis / 1e3;
  }
}
