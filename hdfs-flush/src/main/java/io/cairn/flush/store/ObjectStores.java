package io.cairn.flush.store;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Hadoop file systems over object stores that pass the probe, although it proves too little there.
 * The probe is one process. It shows neither that a publication is atomic between processes, nor
 * that it survives a loss.
 */
final class ObjectStores {
  private static final String COPIES =
      "its rename looks for the target first, and then copies and deletes";
  private static final String FLAT =
      "its rename is atomic only in accounts with a hierarchical namespace, and looks for the"
          + " target first";

  private static final Map<String, String> DOUBTS =
      Map.of("gs", COPIES, "abfs", FLAT, "abfss", FLAT, "wasb", COPIES, "wasbs", COPIES);

  private ObjectStores() {}

  /** A warning to the user of this store; empty if its kind gives no reason for one. */
  static Optional<String> doubt(URI store) {
    String scheme = String.valueOf(store.getScheme()).toLowerCase(Locale.ROOT);
    return Optional.ofNullable(DOUBTS.get(scheme))
        .map(
            reason ->
                "store %s is not of a tested kind: %s, so two attempts of one group may both publish"
                        .formatted(store, reason)
                    + " the same checkpoint. Run no two applications on one group at once, or use"
                    + " HDFS");
  }
}
