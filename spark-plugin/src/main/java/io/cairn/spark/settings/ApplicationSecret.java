package io.cairn.spark.settings;

import io.cairn.engine.net.PeerSecret;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;

/**
 * The secret that driver and executors prove to each other. The driver makes it anew for each
 * application, and gives it to executors over Spark's connections. With {@code spark.authenticate}
 * it counts together with Spark's own. Connections are sealed if Spark encrypts its own, never
 * less.
 */
public final class ApplicationSecret {
  private static final int BYTES = 32;
  private static final List<String> ENCRYPTING =
      List.of(
          "spark.network.crypto.enabled",
          "spark.authenticate.enableSaslEncryption",
          "spark.ssl.rpc.enabled");

  private ApplicationSecret() {}

  /**
   * A secret that the driver gives its executors. Nobody can guess it, as one of people may be, and
   * no other application has it.
   */
  public static String fresh() {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return Base64.getEncoder().encodeToString(secret);
  }

  /**
   * The secret of this process.
   *
   * @param given the one of {@link #fresh}
   * @throws IllegalArgumentException if there is none
   */
  public static PeerSecret of(SparkConf conf, SecurityManager manager, Optional<String> given) {
    boolean seals = ENCRYPTING.stream().anyMatch(name -> conf.getBoolean(name, false));
    String fresh =
        given.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the driver gave no secret: give driver and executors the same Cairn"));
    if (!manager.isAuthenticationEnabled()) {
      return PeerSecret.derived(fresh, seals, "the secret of this application");
    }
    String own = manager.getSecretKey();
    if (own == null) {
      throw new IllegalArgumentException("spark.authenticate is set, but there is no secret");
    }
    return PeerSecret.derived(
        own + "\n" + fresh, seals, "the secret of spark.authenticate in this application");
  }
}
