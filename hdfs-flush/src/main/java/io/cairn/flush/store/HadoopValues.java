package io.cairn.flush.store;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;

/**
 * The values of a store's Hadoop configuration that an error is about. Hadoop parses them when it
 * uses them, and its errors seldom name the key. Stateless.
 */
public final class HadoopValues {
  /** The source of the keys that a user gave for one store. */
  private static final String OWN = "store.hadoop";

  private static final String DEFAULTS = "-default.xml";

  private HadoopValues() {}

  /** The configuration, with these keys for one store. */
  public static Configuration with(Configuration hadoop, Map<String, String> own) {
    Configuration all = new Configuration(hadoop);
    own.forEach((key, value) -> all.set(key, value, OWN));
    return all;
  }

  /**
   * Why a store is refused because of a value that is not legal.
   *
   * @return empty unless the error is about an argument and quotes a key or a value that a user
   *     gave
   */
  public static Optional<StoreRefusedException> refusal(
      String store, Configuration hadoop, Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      if (at instanceof IllegalArgumentException) {
        String reason = StoreErrors.reason(at);
        String named =
            StreamSupport.stream(hadoop.spliterator(), false)
                .filter(each -> quotes(reason, each) && isGiven(hadoop, each.getKey()))
                .map(each -> name(hadoop, each, reason))
                .sorted()
                .collect(Collectors.joining(", "));
        if (!named.isEmpty()) {
          return Optional.of(
              new StoreRefusedException(
                  String.format(
                      Locale.ROOT,
                      "cannot use store %s: Hadoop does not take %s (%s): correct the value, or"
                          + " leave the key out",
                      store,
                      named,
                      reason),
                  error));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean quotes(String reason, Map.Entry<String, String> each) {
    return hasWord(reason, each.getKey()) || hasWord(reason, each.getValue());
  }

  private static boolean hasWord(String text, String word) {
    return !word.isBlank()
        && Pattern.compile("(?<![\\w.-])" + Pattern.quote(word.strip()) + "(?![\\w-]|\\.\\w)")
            .matcher(text)
            .find();
  }

  private static boolean isGiven(Configuration hadoop, String key) {
    String source = source(hadoop, key);
    return !source.isEmpty() && !source.endsWith(DEFAULTS);
  }

  private static String source(Configuration hadoop, String key) {
    String[] sources = hadoop.getPropertySources(key);
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }

  /** A value that the error does not quote may be secret. */
  private static String name(Configuration hadoop, Map.Entry<String, String> each, String reason) {
    String source = source(hadoop, each.getKey());
    String key =
        source.equals(OWN) ? OWN + "." + each.getKey() : "%s (%s)".formatted(each.getKey(), source);
    return hasWord(reason, each.getValue()) ? key + " = " + each.getValue() : key;
  }
}
