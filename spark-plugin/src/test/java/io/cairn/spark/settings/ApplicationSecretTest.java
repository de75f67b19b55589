package io.cairn.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
class ApplicationSecretTest {
  private static final byte[] QUESTION = {1, 2, 3};

  private static SparkConf conf(String... keysAndValues) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private static SecurityManager manager(SparkConf conf) {
    return new SecurityManager(conf, Option.empty(), package$.MODULE$.AUTH_SECRET_FILE());
  }

  private static SparkConf authenticated(String secret) {
    return conf("spark.authenticate", "true", "spark.authenticate.secret", secret);
  }

  private static PeerTransport open(PeerSecret secret) throws IOException {
    return TcpPeerTransport.open("127.0.0.1", 0, secret, new Landings(), PeerLimits.DEFAULT);
  }

  private static PeerTransport open(SparkConf conf, Optional<String> given) throws IOException {
    return open(ApplicationSecret.of(conf, manager(conf), given));
  }

  private static PeerException refusal(PeerTransport from, PeerTransport to) throws Exception {
    try {
      from.ask(to.address(), QUESTION).toCompletableFuture().get();
    } catch (ExecutionException e) {
      return (PeerException) Objects.requireNonNull(e.getCause());
    }
    throw new AssertionError("it was answered");
  }

  @Test
  void sparksOwnSecretLetsInWithThatOfTheApplicationAlone() throws Exception {
    Optional<String> fresh = Optional.of(ApplicationSecret.fresh());
    Optional<String> another = Optional.of(ApplicationSecret.fresh());
    try (PeerTransport server = open(authenticated("one"), fresh);
        PeerTransport friend = open(authenticated("one"), fresh);
        PeerTransport stranger = open(authenticated("other"), fresh);
        PeerTransport otherApplication = open(authenticated("one"), another);
        PeerTransport nobody = open(conf(), fresh)) {
      assertThat(friend.ask(server.address(), QUESTION).toCompletableFuture().get())
          .containsExactly(3, 2, 1);
      for (PeerTransport each : new PeerTransport[] {stranger, otherApplication, nobody}) {
        assertThat(refusal(each, server))
            .hasMessageContaining(server.address().toString())
            .extracting(PeerException::reason)
            .isEqualTo(Reason.UNPROVEN);
      }
    }
  }

  @Test
  void withoutOneTheDriverMakesASecretThatLetsItsExecutorsIn() throws Exception {
    Optional<String> one = Optional.of(ApplicationSecret.fresh());
    Optional<String> another = Optional.of(ApplicationSecret.fresh());
    try (PeerTransport driver = open(conf(), one);
        PeerTransport executor = open(conf(), one);
        PeerTransport stranger = open(conf(), another)) {
      assertThat(executor.ask(driver.address(), QUESTION).toCompletableFuture().get())
          .containsExactly(3, 2, 1);
      assertThat(refusal(stranger, driver)).hasMessageContaining("the secret of this application");
    }
    for (SparkConf each : List.of(conf(), authenticated("one"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> open(each, Optional.empty()))
          .withMessageContaining("the driver gave no secret");
    }
  }

  /** Such as in a log of Spark's messages. */
  @Test
  void theTextOfAnAnswerHasNoSecret() {
    String fresh = ApplicationSecret.fresh();

    assertThat(new JoinAnswer.Open(Map.of(SparkSettings.SECRET, fresh)))
        .asString()
        .contains(SparkSettings.SECRET)
        .doesNotContain(fresh);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.network.crypto.enabled",
        "spark.authenticate.enableSaslEncryption",
        "spark.ssl.rpc.enabled"
      })
  void peersSealWhatSparkEncrypts(String setting) throws Exception {
    SparkConf plain = authenticated("one");
    SparkConf encrypting = authenticated("one").set(setting, "true");
    Optional<String> fresh = Optional.of("one");
    try (PeerTransport server = open(ApplicationSecret.of(encrypting, manager(plain), fresh));
        PeerTransport friend = open(ApplicationSecret.of(encrypting, manager(plain), fresh));
        PeerTransport clear = open(plain, fresh)) {
      assertThat(friend.ask(server.address(), QUESTION).toCompletableFuture().get())
          .containsExactly(3, 2, 1);
      assertThat(refusal(clear, server)).hasMessageContaining("it encrypts");
    }
  }
}
