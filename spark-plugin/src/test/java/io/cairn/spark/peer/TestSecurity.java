package io.cairn.spark.peer;

import java.util.Map;
import org.apache.spark.network.sasl.SecretKeyHolder;

/** Ways to authenticate, by name, so that a child process receives one as an argument. */
public enum TestSecurity {
  /** Nobody proves anything. */
  OPEN(""),
  /** A shared secret. */
  SASL("spark.authenticate"),
  /** The same, and encrypted. */
  SASL_ENCRYPTED("spark.authenticate.enableSaslEncryption"),
  /** A shared secret and modern encryption. */
  CRYPTO("spark.network.crypto.enabled");

  static final String SECRET = "stones on the way back";
  static final String USER = "sparkSaslUser";

  private final String switchedOn;

  TestSecurity(String switchedOn) {
    this.switchedOn = switchedOn;
  }

  Map<String, String> settings() {
    return Map.of(switchedOn, "true");
  }

  /** Of a peer that has the right secret. */
  public PeerSecurity inside() {
    return with(SECRET);
  }

  PeerSecurity with(String secret) {
    return this == OPEN
        ? PeerSecurity.NONE
        : PeerSecurity.authenticated(settings(), USER, holder(secret));
  }

  static SecretKeyHolder holder(String secret) {
    return new SecretKeyHolder() {
      @Override
      public String getSaslUser(String appId) {
        return USER;
      }

      @Override
      public String getSecretKey(String appId) {
        return secret;
      }
    };
  }
}
