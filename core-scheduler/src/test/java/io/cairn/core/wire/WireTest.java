package io.cairn.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
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
    RandomMessages random = new RandomMessages(seed);
    for (int kind = 0; kind < RandomMessages.MEMBER_KINDS; kind++) {
      attack(Wire.encode(random.member(kind)), Wire::decodeMember, seed);
    }
    for (int kind = 0; kind < RandomMessages.COORDINATOR_KINDS; kind++) {
      attack(Wire.encode(random.coordinator(kind)), Wire::decodeCoordinator, seed);
    }
  }

  private static void attack(byte[] good, Function<byte[], Object> decoder, long seed) {
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> decoder.apply(cut))
          .as("seed %d, cut to %d", seed, length)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> decoder.apply(Arrays.copyOf(good, good.length + 1)))
        .as("seed %d, one byte more", seed)
        .isInstanceOf(IllegalArgumentException.class);
    SplittableRandom random = new SplittableRandom(seed);
    for (int flip = 0; flip < 50; flip++) {
      byte[] damaged = good.clone();
      damaged[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
      decodes(damaged, decoder, "seed " + seed + ", flip " + flip);
    }
  }

  /** What is no message is refused as such; some damage gives another message. */
  private static void decodes(byte[] bytes, Function<byte[], Object> decoder, String what) {
    try {
      assertThat(decoder.apply(bytes)).as(what).isNotNull();
    } catch (RuntimeException e) {
      assertThat(e).as(what).isExactlyInstanceOf(IllegalArgumentException.class);
      assertThat(e).as(what).hasMessageStartingWith("not a message of this version");
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageIsNoMessage(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(1, 200)];
      random.nextBytes(garbage);
      garbage[0] = 1;
      decodes(garbage, Wire::decodeMember, "seed " + seed);
      decodes(garbage, Wire::decodeCoordinator, "seed " + seed);
    }
  }

  /** A list that claims the most, or more, entries is not made room for before they are read. */
  @Test
  void aLengthThatLiesIsRefusedAtOnce() {
    for (int claimed : new int[] {-1, 1, 100_000, 100_001, Integer.MAX_VALUE}) {
      byte[] offer =
          ByteBuffer.allocate(18)
              .put((byte) 1)
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
