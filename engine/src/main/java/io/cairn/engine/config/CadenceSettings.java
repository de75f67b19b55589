package io.cairn.engine.config;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.LevelSpec;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
   * @param levels of the process, the lowest first
   */
  static CadencePolicy policy(SettingValues given, List<LevelSpec> levels) {
    for (Setting<?> each : Setting.EVERY.each()) {
      var unused = given.find(each); // those of levels that there are not, too
    }
    CadencePlan start = start(given, levels);
    boolean periodGiven = levels.stream().anyMatch(spec -> given.has(every(spec.level())));
    Choice choice = given.find(Setting.CADENCE).orElse(new Choice(!periodGiven, STALL_BUDGET));
    AdaptiveSettings settings = settings(given, levels, choice.stallBudget());
    return choice.adaptive()
        ? CadencePolicy.adaptive(settings, start)
        : CadencePolicy.fixed(start, within(given, levels, true));
  }

  private static Setting<Long> every(Level level) {
    return Setting.EVERY.at(level);
  }

  /**
   * The levels that every process has come first, so that no default of another one changes their
   * periods.
   */
  private static CadencePlan start(SettingValues given, List<LevelSpec> levels) {
    NavigableMap<Level, Long> periods = new TreeMap<>();
    long multipleOf = 1;
    for (int index = 0; index < levels.size(); index++) {
      LevelSpec spec = levels.get(index);
      long every = given.find(every(spec.level())).orElse(multipleOf);
      if (spec.always()) {
        Optional<Long> above = firstGiven(given, levels.subList(index + 1, levels.size()));
        every = period(given, spec, periods.lastEntry(), multipleOf, above);
        periods.put(spec.level(), every);
      }
      multipleOf = every % multipleOf == 0 ? every : multipleOf;
    }
    for (LevelSpec spec : levels) {
      if (!spec.always()) {
        periods.put(spec.level(), between(given, spec, periods));
      }
    }
    return new CadencePlan(0, 0, periods);
  }

  private static Optional<Long> firstGiven(SettingValues given, List<LevelSpec> levels) {
    return levels.stream().flatMap(spec -> given.find(every(spec.level())).stream()).findFirst();
  }

  /**
   * The period of a level that every process has. Rounds a default so that it fits the configured
   * ones.
   *
   * @param lower the level below and its period
   * @param multipleOf that a default is a multiple of: the period of the next lower level, be it
   *     one that only a setting adds
   * @param above the next configured period of a level above; empty if there is none
   */
  private static long period(
      SettingValues given,
      LevelSpec spec,
      Map.@Nullable Entry<Level, Long> lower,
      long multipleOf,
      Optional<Long> above) {
    Setting<Long> setting = every(spec.level());
    long below = lower == null ? 1 : lower.getValue();
    if (given.has(setting)) {
      long every = given.get(setting);
      if (lower != null && every % below != 0) {
        throw given.illegal(setting, "a multiple of " + named(lower));
      }
      return every;
    }
    long usual = spec.every().orElse(below);
    long every = up(usual, multipleOf);
    while (above.isPresent() && every > below && above.get() % every != 0) {
      every -= below;
    }
    if (every != usual) {
      LOG.info(
          "{} is {}: its default {} does not fit the configured periods",
          setting.name(),
          every,
          usual);
    }
    return every;
  }

  private static long up(long period, long multipleOf) {
    return Math.multiplyExact(-Math.floorDiv(-period, multipleOf), multipleOf);
  }

  /** The period of a level that a setting adds between others, whose periods stay. */
  private static long between(
      SettingValues given, LevelSpec spec, NavigableMap<Level, Long> periods) {
    Setting<Long> setting = every(spec.level());
    long source = requireNonNull(periods.get(spec.readsFrom()));
    long every = given.find(setting).orElse(spec.every().orElse(source));
    Map.Entry<Level, Long> below = requireNonNull(periods.lowerEntry(spec.level()));
    Map.Entry<Level, Long> above = requireNonNull(periods.higherEntry(spec.level()));
    if (every % below.getValue() != 0 || above.getValue() % every != 0) {
      throw given.illegal(
          setting, "a multiple of " + named(below) + " that divides " + named(above));
    }
    return every;
  }

  private static String named(Map.Entry<Level, Long> period) {
    return every(period.getKey()).name() + " (" + period.getValue() + ")";
  }

  /** Checked for a fixed cadence, too, so that a wrong value is rejected at once. */
  private static AdaptiveSettings settings(
      SettingValues given, List<LevelSpec> levels, double stallBudget) {
    Map<Level, Double> mtbf = new EnumMap<>(Level.class);
    Stream.concat(LevelSpec.ALL.stream(), levels.stream())
        .forEach(
            spec ->
                mtbf.put(
                    spec.level(),
                    seconds(given.find(Setting.MTBF.at(spec.level())).orElse(spec.mtbf()))));
    Set<Level> used = levels.stream().map(LevelSpec::level).collect(Collectors.toSet());
    return new AdaptiveSettings(mtbf, stallBudget, used, Set.of(), within(given, levels, false));
  }

  /** Checks the bounds of levels that there are not, too. */
  private static Map<Level, Double> within(
      SettingValues given, List<LevelSpec> levels, boolean explicitOnly) {
    for (Setting<?> each : Setting.WITHIN.each()) {
      var unused = given.find(each);
    }
    Map<Level, Double> seconds = new EnumMap<>(Level.class);
    for (LevelSpec spec : levels) {
      Optional<Duration> usual = explicitOnly ? Optional.empty() : spec.within();
      if (spec.within().isPresent()) {
        given
            .find(Setting.WITHIN.at(spec.level()))
            .orElse(usual)
            .ifPresent(time -> seconds.put(spec.level(), seconds(time)));
      }
    }
    return seconds;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
