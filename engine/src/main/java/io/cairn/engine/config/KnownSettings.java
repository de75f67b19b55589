package io.cairn.engine.config;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The names that settings have. Stateless. */
public final class KnownSettings {
  /** All settings, in the order of the table. */
  public static final List<Setting> ALL =
      List.of(
          Setting.JOB,
          Setting.LABEL,
          Setting.RESUME,
          Setting.ACCEPT,
          Setting.STORE,
          Setting.STORE_PATIENCE,
          Setting.STORE_REQUIRED,
          Setting.STORE_UNREADABLE,
          Setting.STORE_REPLICATION,
          Setting.STORE_BLOCK_SIZE,
          Setting.STORE_CODEC,
          RegionSettings.CODEC,
          RegionSettings.LOSS,
          Setting.STORE_THREADS,
          WriterSettings.STORE_WRITERS,
          Setting.STORE_LAYERS,
          Setting.STAGING_NODES,
          Setting.STAGING_RATE,
          Setting.STAGING_SERVERS,
          Setting.STAGING_SECRET,
          Setting.NODE_DIR,
          Setting.NODE_EXPIRY,
          Setting.NODE_CODEC,
          Setting.NODE_LAYERS,
          Setting.NODE_SERVE,
          Setting.NODE_PATIENCE,
          Setting.PEER_SCHEME,
          Setting.PEER_SET,
          Setting.PEER_PARITY,
          Setting.PEER_DOMAIN,
          Setting.PEER_RATE,
          Setting.DEVICE_KIND,
          Setting.DEVICE_CUDA_LIBRARY,
          Setting.DEVICE_RESERVE,
          Setting.DEVICE_DIR,
          Setting.DEVICE_CACHE,
          Setting.CHUNK_SIZE,
          Setting.CAPTURE_WAIT,
          Setting.WATCHDOG,
          Setting.CADENCE,
          Setting.DEVICE_EVERY,
          Setting.NODE_EVERY,
          Setting.PEER_EVERY,
          Setting.STORE_EVERY,
          Setting.NODE_WITHIN,
          CadenceSettings.PEER_WITHIN,
          Setting.STORE_WITHIN,
          Setting.STALL_BUDGET,
          Setting.MTBF_DEVICE,
          Setting.MTBF_NODE,
          Setting.MTBF_PEER,
          Setting.MTBF_STORE,
          Setting.SHARING,
          Setting.HOST_CACHE,
          Setting.TOPOLOGY,
          Setting.SHARING_WINDOW,
          Setting.SHARING_PATIENCE,
          Setting.SHARING_SILENCE,
          Setting.SHARING_PORT,
          Setting.DRIVER_PORT,
          Setting.STANDBY,
          RetentionSettings.KEEP,
          RetentionSettings.STORE_KEEP_EVERY,
          RetentionSettings.STORE_KEEP_BEST,
          RetentionSettings.STORE_BEST_SCORE,
          RetentionSettings.STORE_KEEP_YOUNGER,
          Setting.CERTIFY_EVERY,
          Setting.QUEUE_SIZE,
          Setting.COORDINATOR,
          Setting.COORDINATOR_SECRET,
          Setting.JOIN_TIMEOUT,
          Setting.CLOSE_TIMEOUT);

  private static final String UNDER_SPARK = "spark.cairn.";

  private KnownSettings() {}

  /**
   * Rejects names that no setting has, and names without a value.
   *
   * @param prefix of the names where the user configured them, for the message
   * @throws IllegalArgumentException naming the setting and, if it is unknown, the nearest known
   *     one
   */
  public static void require(Map<String, String> values, String prefix) {
    values.forEach(
        (key, value) -> {
          if (ALL.stream().noneMatch(setting -> setting.name().equals(key))) {
            throw new IllegalArgumentException(unknown(String.valueOf(key), prefix));
          }
          if (value == null) {
            throw new IllegalArgumentException(
                "setting " + prefix + key + " is null: give a value, or leave it out");
          }
        });
  }

  private static String unknown(String key, String prefix) {
    boolean doubled = key.startsWith(UNDER_SPARK);
    return "unknown setting "
        + prefix
        + key
        + (doubled ? ": leave out the prefix " + UNDER_SPARK + " here" : "")
        + nearest(doubled ? key.substring(UNDER_SPARK.length()) : key)
            .map(n -> ": did you mean " + prefix + n + "?")
            .orElse("");
  }

  private static Optional<String> nearest(String key) {
    return nearest(key, ALL.stream().map(Setting::name).toList());
  }

  /** The known name that is the most like a given one; empty if none is known. */
  static Optional<String> nearest(String given, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream().min(Comparator.comparing(name -> distance.apply(name, given)));
  }
}
