package io.cairn.engine.config;

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
    Map<String, String> settings = new TreeMap<>(values);
    Map<String, String> properties = new TreeMap<>(values);
    settings.keySet().removeIf(name -> name.startsWith(PROPERTY));
    properties.keySet().removeIf(name -> !name.startsWith(PROPERTY));
    return CairnConfig.of(settings, properties);
  }
}
