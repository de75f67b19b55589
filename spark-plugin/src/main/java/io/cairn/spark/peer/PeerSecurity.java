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
 * Who is let in, and whether what is said can be overheard: as the application has configured it
 * for Spark itself ({@code spark.authenticate}, {@code spark.network.crypto.*}), never less. The
 * weaker of two handshakes is never fallen back to, and where Spark encrypts over SASL a peer that
 * does not is refused. Immutable.
 */
public final class PeerSecurity {
  /** Anybody is let in, in the clear: Spark's own default. */
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
   * As the application has it.
   *
   * @throws IllegalArgumentException naming the setting, if what it asks for cannot be given here
   */
  public static PeerSecurity of(SparkConf conf, SecurityManager manager) {
    boolean crypto = conf.getBoolean(CRYPTO, false);
    if (conf.getBoolean(TLS, false) && !crypto) {
      throw new IllegalArgumentException(
          TLS + " is not carried over to peers, which would speak in the clear: set " + CRYPTO);
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
   * With a secret from elsewhere.
   *
   * @param settings Spark's, of its network layer
   * @param user that both ends name
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

  /** What the network layer is to be configured with; no secret is among it. */
  Map<String, String> settings() {
    return settings;
  }

  /** What a connection that is opened has to pass. */
  List<TransportClientBootstrap> client(TransportConf conf) {
    return secrets == null ? List.of() : List.of(new AuthClientBootstrap(conf, user, secrets));
  }

  /** What a connection that is let in has to pass. */
  List<TransportServerBootstrap> server(TransportConf conf) {
    return secrets == null ? List.of() : List.of(new AuthServerBootstrap(conf, secrets));
  }
}
