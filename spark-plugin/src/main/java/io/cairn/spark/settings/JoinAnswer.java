package io.cairn.spark.settings;

import java.util.HashMap;
import java.util.Map;

/** The driver's answer to a {@link JoinQuestion}. Immutable. */
public sealed interface JoinAnswer {
  /**
   * No rank has joined in this application.
   *
   * @param pauseMillis after which to ask again
   */
  record Nobody(long pauseMillis) implements JoinAnswer {}

  /** The driver opens its part at this moment. Ask again. */
  record Opening() implements JoinAnswer {}

  /**
   * The driver's part is open.
   *
   * @param settings of executors, by name without the prefix, with those that the driver adds
   */
  record Open(Map<String, String> settings) implements JoinAnswer {
    /** Copies the map. */
    public Open {
      settings = Map.copyOf(settings);
    }

    /** The names alone, since one of the values is secret. */
    @Override
    public String toString() {
      return "Open" + settings.keySet();
    }
  }

  /**
   * The driver's part cannot be opened now.
   *
   * @param reason with its place
   */
  record Refused(String reason) implements JoinAnswer {}

  /** The key of the kind; no setting has a capital letter first. */
  String KIND = "Answer";

  /** As a message of classes that every class loader knows. */
  default Map<String, String> message() {
    Map<String, String> all = new HashMap<>();
    all.put(KIND, getClass().getSimpleName());
    if (this instanceof Nobody nobody) {
      all.put("pause", Long.toString(nobody.pauseMillis()));
    } else if (this instanceof Open open) {
      all.putAll(open.settings());
    } else if (this instanceof Refused refused) {
      all.put("reason", refused.reason());
    }
    return all;
  }

  /**
   * The answer of a message.
   *
   * @throws IllegalArgumentException if it is none
   */
  static JoinAnswer of(Object message) {
    Map<String, String> all = new HashMap<>();
    if (message instanceof Map<?, ?> map) {
      map.forEach((key, value) -> all.put(String.valueOf(key), String.valueOf(value)));
    }
    String kind = String.valueOf(all.remove(KIND));
    return switch (kind) {
      case "Nobody" -> new Nobody(Long.parseLong(all.getOrDefault("pause", "")));
      case "Opening" -> new Opening();
      case "Open" -> new Open(all);
      case "Refused" -> new Refused(all.getOrDefault("reason", ""));
      default -> throw new IllegalArgumentException("no answer of the driver: " + kind);
    };
  }
}
