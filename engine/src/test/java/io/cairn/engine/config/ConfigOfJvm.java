package io.cairn.engine.config;

import io.cairn.core.model.LevelSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The configuration that a process would have whose JVM has properties of its own. */
public final class ConfigOfJvm {
  private static final String PROPERTY = "cairn.";

  private ConfigOfJvm() {}

  /**
   * The configuration.
   *
   * @param values settings, and the properties of the JVM, which begin with {@code cairn.}
   */
  public static CairnConfig of(Map<String, String> values) {
    return CairnConfig.of(settings(values), properties(values));
  }

  /** Like the other, for a process with these levels. */
  public static CairnConfig of(Map<String, String> values, List<LevelSpec> levels) {
    return CairnConfig.of(settings(values), properties(values), levels);
  }

  private static Map<String, String> settings(Map<String, String> values) {
    Map<String, String> settings = new TreeMap<>(values);
    settings.keySet().removeIf(name -> name.startsWith(PROPERTY));
    return settings;
  }

  private static Map<String, String> properties(Map<String, String> values) {
    Map<String, String> properties = new TreeMap<>(values);
    properties.keySet().removeIf(name -> !name.startsWith(PROPERTY));
    return properties;
  }
}
