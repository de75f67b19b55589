package io.cairn.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SharingWireTest {
  private static final String REFUSAL = "no message about sharing of this version";
  private static final List<Function<byte[], Object>> DECODERS =
      List.of(
          SharingWire::decodeRequest,
          SharingWire::decodeAnswer,
          SharingWire::decodeDesk,
          SharingWire::decodePlan);

  private static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  /** Every message, in the list of its decoder. */
  private static List<List<byte[]>> encoded(long seed) {
    RandomSharing random = new RandomSharing(seed);
    return List.of(
        random.requests().stream().map(SharingWire::encode).toList(),
        random.answers().stream().map(SharingWire::encode).toList(),
        random.deskMessages().stream().map(SharingWire::encode).toList(),
        random.planAnswers().stream().map(SharingWire::encode).toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyMessageComesBackAsItWas(long seed) {
    RandomSharing random = new RandomSharing(seed);
    random.requests().forEach(m -> same(m, SharingWire.decodeRequest(SharingWire.encode(m)), seed));
    random.answers().forEach(m -> same(m, SharingWire.decodeAnswer(SharingWire.encode(m)), seed));
    random
        .deskMessages()
        .forEach(m -> same(m, SharingWire.decodeDesk(SharingWire.encode(m)), seed));
    random.planAnswers().forEach(m -> same(m, SharingWire.decodePlan(SharingWire.encode(m)), seed));
  }

  private static void same(Object sent, Object arrived, long seed) {
    assertThat(arrived).as("seed %d", seed).isEqualTo(sent);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsTruncatedOrLongerOrDamagedIsNoMessage(long seed) {
    Damage damage = new Damage(REFUSAL, seed);
    for (int decoder = 0; decoder < DECODERS.size(); decoder++) {
      for (byte[] good : encoded(seed).get(decoder)) {
        damage.of(good, DECODERS.get(decoder));
      }
    }
  }

  /** A grant never passes for a claim, nor a plan for a report. */
  @ParameterizedTest
  @MethodSource("seeds")
  void noMessagePassesForOneOfAnotherConversation(long seed) {
    for (int its = 0; its < DECODERS.size(); its++) {
      for (int other = 0; other < DECODERS.size(); other++) {
        if (other != its) {
          Function<byte[], Object> decoder = DECODERS.get(other);
          encoded(seed).get(its).forEach(bytes -> refuses(bytes, decoder, seed));
        }
      }
    }
  }

  private static void refuses(byte[] bytes, Function<byte[], Object> decoder, long seed) {
    assertThatThrownBy(() -> decoder.apply(bytes))
        .as("seed %d", seed)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has kind " + bytes[1]);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageIsNoMessage(long seed) {
    Damage damage = new Damage(REFUSAL, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(2, 200)];
      random.nextBytes(garbage);
      garbage[0] = 1;
      for (Function<byte[], Object> decoder : DECODERS) {
        garbage[1] = (byte) random.nextInt(1, 33);
        damage.readOrRefused(garbage, decoder, "garbage " + i);
      }
    }
  }

  /** A list that claims more entries than there are bytes for is not made room for. */
  @Test
  void aLengthThatLiesIsRefusedAtOnce() {
    byte[] some =
        SharingWire.encode(
            new LeaseRequest.ReleaseSome(
                new LeaseId("h", 1, new RandomSharing(1).planAnswers().get(0).checkpoint(), 0),
                List.of()));
    for (int claimed : new int[] {-1, 1, 1_000_001, Integer.MAX_VALUE}) {
      byte[] lying = some.clone();
      ByteBuffer.wrap(lying).putInt(lying.length - 4, claimed);
      assertThatThrownBy(() -> SharingWire.decodeRequest(lying))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a list of " + claimed + " entries in 0 bytes");
    }
  }

  @Test
  void aLongReasonIsClippedAndArrives() {
    PlanAnswer.Refused longOne =
        new PlanAnswer.Refused(
            new RandomSharing(1).planAnswers().get(0).checkpoint(), 0, "€".repeat(100_000));
    PlanAnswer.Refused arrived =
        (PlanAnswer.Refused) SharingWire.decodePlan(SharingWire.encode(longOne));
    assertThat(arrived.reason()).hasSizeBetween(1000, 5000).startsWith("€€€");
  }
}
