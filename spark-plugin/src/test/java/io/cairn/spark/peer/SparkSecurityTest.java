package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** The security that the application configured for Spark applies to peers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SparkSecurityTest {
  private static SparkConf conf(String... keysAndValues) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private static PeerSecurity security(SparkConf conf) {
    return PeerSecurity.of(
        conf, new SecurityManager(conf, Option.empty(), package$.MODULE$.AUTH_SECRET_FILE()));
  }

  private static PeerTransport open(SparkConf conf) throws IOException {
    return SparkPeerTransport.open(
        "127.0.0.1", 0, new Landings(), security(conf), PeerLimits.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void sparksOwnSecretLetsInAndNoOther(String crypto) throws Exception {
    String[] settings = {
      "spark.authenticate", "true",
      "spark.network.crypto.enabled", crypto,
      "spark.network.crypto.saslFallback", "true",
      "spark.authenticate.secret", "one"
    };
    try (PeerTransport server = open(conf(settings));
        PeerTransport friend = open(conf(settings));
        PeerTransport stranger = open(conf(settings).set("spark.authenticate.secret", "other"));
        PeerTransport nobody = open(conf())) {
      byte[] question = {1, 2, 3};
      assertThat(friend.ask(server.address(), question).toCompletableFuture().get())
          .containsExactly(3, 2, 1);
      for (PeerTransport each : new PeerTransport[] {stranger, nobody}) {
        assertThatExceptionOfType(ExecutionException.class)
            .isThrownBy(() -> each.ask(server.address(), question).toCompletableFuture().get())
            .withMessageContaining(server.address().toString());
      }
    }
  }

  @Test
  void theSecretIsNotAmongTheSettings() {
    PeerSecurity security =
        security(
            conf(
                "spark.authenticate", "true",
                "spark.authenticate.secret", "one",
                "spark.network.crypto.enabled", "true",
                "spark.network.crypto.saslFallback", "true"));
    assertThat(security.settings())
        .containsEntry("spark.network.crypto.enabled", "true")
        .containsEntry("spark.network.crypto.saslFallback", "false")
        .doesNotContainKey("spark.authenticate.secret")
        .doesNotContainValue("one");
  }

  @Test
  void whatCannotBeGivenIsRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> security(conf("spark.ssl.rpc.enabled", "true")))
        .withMessageContaining("spark.ssl.rpc.enabled");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> security(conf("spark.network.crypto.enabled", "true")))
        .withMessageContaining("spark.authenticate");
    assertThat(security(conf())).isSameAs(PeerSecurity.NONE);
  }
}
