package io.cairn.spark.peer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Authentication and encryption between peers: those that the application configured for Spark
 * itself ({@code spark.authenticate}, {@code spark.network.crypto.*}), never less. There is no
 * fall-back to a weaker handshake, and with SASL encryption an unencrypted peer is refused.
 * Immutable.
 */
public final class PeerSecurity {
  /** No authentication and no encryption: Spark's default. */
  public static final PeerSecurity NONE = new PeerSecurity(Map.of(), "", null);

  private static final String CRYPTO = "spark.network.crypto.enabled";
  private static final String SASL_ENCRYPTION = "spark.authenticate.enableSaslEncryption";
  private static final String TLS = "spark.ssl.rpc.enabled";
  private static final List<String> KEPT =
      List.of("spark.network.crypto.", "spark.network.sasl.", SASL_ENCRYPTION);

  private final Map<String, String> settings;
  private final String user;
  private final @Nullable SecretKeyHolder secrets;

  private PeerSecurity(
      Map<String, String> settings, String user, @Nullable SecretKeyHolder secrets) {
    this.settings = settings;
    this.user = user;
    this.secrets = secrets;
  }

  /**
   * The security that the application configured.
   *
   * @throws IllegalArgumentException naming the setting, if peers do not support it
   */
  public static PeerSecurity of(SparkConf conf, SecurityManager manager) {
    boolean crypto = conf.getBoolean(CRYPTO, false);
    if (conf.getBoolean(TLS, false) && !crypto) {
      throw new IllegalArgumentException(
          TLS + " does not apply to peers, which would not be encrypted: set " + CRYPTO);
    }
    if (!manager.isAuthenticationEnabled()) {
      if (crypto) {
        throw new IllegalArgumentException(CRYPTO + " needs spark.authenticate");
      }
      return NONE;
    }
    if (manager.getSecretKey() == null) {
      throw new IllegalArgumentException("spark.authenticate is set, but there is no secret");
    }
    return authenticated(network(conf), manager.getSaslUser(), manager);
  }

  /**
   * Authentication with a given secret.
   *
   * @param settings of Spark's network layer
   * @param user name that both ends send
   */
  static PeerSecurity authenticated(
      Map<String, String> settings, String user, SecretKeyHolder secrets) {
    Map<String, String> forced = new TreeMap<>(settings);
    forced.put("spark.network.crypto.saslFallback", "false");
    if (Boolean.parseBoolean(settings.getOrDefault(SASL_ENCRYPTION, "false"))) {
      forced.put("spark.network.sasl.serverAlwaysEncrypt", "true");
    }
    return new PeerSecurity(Map.copyOf(forced), user, secrets);
  }

  private static Map<String, String> network(SparkConf conf) {
    Map<String, String> kept = new TreeMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      if (KEPT.stream().anyMatch(entry._1()::startsWith)) {
        kept.put(entry._1(), entry._2());
      }
    }
    return kept;
  }

  /** The settings of the network layer, without secrets. */
  Map<String, String> settings() {
    return settings;
  }

  /** Steps that an opened connection passes. */
  List<TransportClientBootstrap> client(TransportConf conf) {
    return secrets == null ? List.of() : List.of(new AuthClientBootstrap(conf, user, secrets));
  }

  /** Steps that an accepted connection passes. */
  List<TransportServerBootstrap> server(TransportConf conf) {
    return secrets == null ? List.of() : List.of(new AuthServerBootstrap(conf, secrets));
  }
}
