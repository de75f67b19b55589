package io.cairn.spark.settings;

import io.cairn.engine.net.PeerSecret;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;

/**
 * The secret that driver and executors prove to each other: Spark's own with {@code
 * spark.authenticate}, else one that the driver makes and gives them over Spark's connections.
 * Connections are sealed if Spark encrypts its own, never less.
 */
public final class ApplicationSecret {
  private static final int BYTES = 32;
  private static final List<String> ENCRYPTING =
      List.of(
          "spark.network.crypto.enabled",
          "spark.authenticate.enableSaslEncryption",
          "spark.ssl.rpc.enabled");

  private ApplicationSecret() {}

  /** A secret that the driver gives its executors; empty if they have Spark's. */
  public static Optional<String> fresh(SecurityManager manager) {
    if (manager.isAuthenticationEnabled()) {
      return Optional.empty();
    }
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return Optional.of(Base64.getEncoder().encodeToString(secret));
  }

  /**
   * The secret of this process.
   *
   * @param given the one of {@link #fresh}, which counts only if Spark has none
   * @throws IllegalArgumentException if there is none
   */
  public static PeerSecret of(SparkConf conf, SecurityManager manager, Optional<String> given) {
    boolean seals = ENCRYPTING.stream().anyMatch(name -> conf.getBoolean(name, false));
    if (manager.isAuthenticationEnabled()) {
      return PeerSecret.derived(
          Optional.ofNullable(manager.getSecretKey())
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "spark.authenticate is set, but there is no secret")),
          seals,
          "the secret of spark.authenticate");
    }
    return PeerSecret.derived(
        given.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the driver gave no secret: give driver and executors the same Cairn, and the"
                        + " same spark.authenticate")),
        seals,
        "the secret of this application");
  }
}
