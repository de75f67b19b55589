package io.cairn.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
  private static final String REFUSAL = "not a message of this version";

  /** The first byte of every message; what has another is refused for that alone. */
  private static final byte VERSION = Wire.encode(new MemberMessage.Leave(0, 1))[0];

  private static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyMessageComesBackAsItWas(long seed) {
    RandomMessages random = new RandomMessages(seed);
    for (int kind = 0; kind < RandomMessages.MEMBER_KINDS; kind++) {
      MemberMessage message = random.member(kind);
      assertThat(Wire.decodeMember(Wire.encode(message))).as("seed %d", seed).isEqualTo(message);
    }
    for (int kind = 0; kind < RandomMessages.COORDINATOR_KINDS; kind++) {
      CoordinatorMessage message = random.coordinator(kind);
      assertThat(Wire.decodeCoordinator(Wire.encode(message)))
          .as("seed %d", seed)
          .isEqualTo(message);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsTruncatedOrLongerOrDamagedIsNoMessage(long seed) {
    Damage damage = new Damage(REFUSAL, seed);
    RandomMessages random = new RandomMessages(seed);
    for (int kind = 0; kind < RandomMessages.MEMBER_KINDS; kind++) {
      damage.of(Wire.encode(random.member(kind)), Wire::decodeMember);
    }
    for (int kind = 0; kind < RandomMessages.COORDINATOR_KINDS; kind++) {
      damage.of(Wire.encode(random.coordinator(kind)), Wire::decodeCoordinator);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageIsNoMessage(long seed) {
    Damage damage = new Damage(REFUSAL, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(1, 200)];
      random.nextBytes(garbage);
      garbage[0] = VERSION;
      damage.readOrRefused(garbage, Wire::decodeMember, "member's garbage " + i);
      damage.readOrRefused(garbage, Wire::decodeCoordinator, "coordinator's garbage " + i);
    }
  }

  /** A list that claims the most, or more, entries is not made room for before they are read. */
  @Test
  void aLengthThatLiesIsRefusedAtOnce() {
    for (int claimed : new int[] {-1, 1, 100_000, 100_001, Integer.MAX_VALUE}) {
      byte[] offer =
          ByteBuffer.allocate(18)
              .put(VERSION)
              .put((byte) 2)
              .putInt(0)
              .putLong(1)
              .putInt(claimed)
              .array();
      assertThatThrownBy(() -> Wire.decodeMember(offer))
          .as("%d entries", claimed)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aLongReasonIsClippedAndArrives() {
    String reason = "€".repeat(100_000);
    CoordinatorMessage.Fenced arrived =
        (CoordinatorMessage.Fenced)
            Wire.decodeCoordinator(Wire.encode(new CoordinatorMessage.Fenced(reason)));
    assertThat(arrived.reason()).hasSizeBetween(1000, 5000).startsWith("€€€");
  }
}
