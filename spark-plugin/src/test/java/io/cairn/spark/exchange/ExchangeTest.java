package io.cairn.spark.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.wire.RandomMessages;
import io.cairn.spark.exchange.Exchange.NodeCopy;
import io.cairn.spark.exchange.Exchange.Reply;
import io.cairn.spark.exchange.Exchange.Request;
import io.cairn.spark.exchange.Exchange.ToCoordinator;
import io.cairn.spark.exchange.Exchange.ToMember;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExchangeTest {
  private static final GroupId GROUP = new GroupId("job", "group");

  private static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  private static Request request(long seed) {
    RandomMessages random = new RandomMessages(seed);
    List<ToCoordinator> messages = new ArrayList<>();
    for (int kind = 0; kind < RandomMessages.MEMBER_KINDS; kind++) {
      messages.add(new ToCoordinator(GROUP, 3, "incarnation-" + kind, random.member(kind)));
    }
    List<NodeCopy> inventory = List.of(new NodeCopy(new CheckpointId(GROUP, 2, seed), 1, 3));
    return new Request(
        "executor-" + seed, seed + 1, seed, "host:/node", messages, inventory, "GPU" + seed);
  }

  private static Reply reply(long seed) {
    RandomMessages random = new RandomMessages(seed);
    List<ToMember> messages = new ArrayList<>();
    for (int kind = 0; kind < RandomMessages.COORDINATOR_KINDS; kind++) {
      messages.add(new ToMember("incarnation-" + kind, random.coordinator(kind)));
    }
    return new Reply(seed + messages.size(), messages);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void requestsAndRepliesComeBackAsTheyWere(long seed) {
    assertThat(Exchange.decodeRequest(Exchange.encode(request(seed))))
        .as("seed %d", seed)
        .isEqualTo(request(seed));
    assertThat(Exchange.decodeReply(Exchange.encode(reply(seed))))
        .as("seed %d", seed)
        .isEqualTo(reply(seed));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hostileBytesAreRefusedAsSuch(long seed) {
    attack(Exchange.encode(request(seed)), Exchange::decodeRequest, seed);
    attack(Exchange.encode(reply(seed)), Exchange::decodeReply, seed);
  }

  private static void attack(byte[] good, Function<byte[], Object> decoder, long seed) {
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> decoder.apply(cut))
          .as("seed %d, cut to %d", seed, length)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> decoder.apply(Arrays.copyOf(good, good.length + 1)))
        .isInstanceOf(IllegalArgumentException.class);
    SplittableRandom random = new SplittableRandom(seed);
    for (int flip = 0; flip < 100; flip++) {
      byte[] damaged = good.clone();
      damaged[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(decoder.apply(damaged)).isNotNull();
      } catch (RuntimeException e) {
        assertThat(e)
            .as("seed %d, flip %d", seed, flip)
            .isExactlyInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("not an exchange of this version");
      }
    }
  }

  @Test
  void aLengthThatLiesIsRefusedBeforeRoomIsMadeForIt() {
    for (int claimed : new int[] {-1, 100_000, 100_001, Integer.MAX_VALUE}) {
      byte[] list = ByteBuffer.allocate(12).putLong(1).putInt(claimed).array();
      assertThatThrownBy(() -> Exchange.decodeReply(list))
          .isInstanceOf(IllegalArgumentException.class);
      byte[] block =
          ByteBuffer.allocate(18).putLong(1).putInt(1).putShort((short) 0).putInt(claimed).array();
      assertThatThrownBy(() -> Exchange.decodeReply(block))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aReplyThatComesAgainIsNewOnlyFromWhereItWasReceived() {
    List<ToMember> messages =
        IntStream.rangeClosed(4, 6)
            .mapToObj(i -> new ToMember("m" + i, new CoordinatorMessage.Fenced("")))
            .toList();
    Reply reply = new Reply(6, messages);
    assertThat(reply.after(0)).isEqualTo(messages);
    assertThat(reply.after(3)).isEqualTo(messages);
    assertThat(reply.after(5)).extracting(ToMember::incarnation).containsExactly("m6");
    assertThat(reply.after(6)).isEmpty();
    assertThat(reply.after(99)).isEmpty();
  }
}
