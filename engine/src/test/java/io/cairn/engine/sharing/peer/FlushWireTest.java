package io.cairn.engine.sharing.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.RegionImage;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.LeaseId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders to flush and what lenders answer, as bytes. */
class FlushWireTest {
  private static final HolderId LENDER =
      new HolderId("1", "7f0c2d51-38a1", new PeerAddress("host", 7000));
  private static final LeaseId LEASE =
      new LeaseId("a@host:1", 42, new CheckpointId(new GroupId("digits", "wave"), 3, 14), 2);
  private static final FlushOrder ORDER =
      new FlushOrder(
          LEASE,
          4,
          "the-node",
          List.of(
              new RegionImage("weights", 9000, 4096, new int[] {1, -2, 3}),
              new RegionImage("empty", 0, 4096, new int[0])));
  private static final FlushAnswer WRITTEN =
      new FlushAnswer(
          Optional.of(
              new ContainerSummary(
                  ORDER.container(LENDER),
                  12345,
                  Digest.of("index".getBytes(StandardCharsets.US_ASCII)),
                  List.of(2))));

  @Test
  void anOrderComesAcross() {
    assertThat(FlushOrder.decode(ORDER.encode())).isEqualTo(ORDER);
  }

  @Test
  void bothAnswersComeAcross() {
    FlushAnswer writing = new FlushAnswer(Optional.empty());
    assertThat(FlushAnswer.decode(writing.encode(), ORDER, LENDER)).isEqualTo(writing);
    assertThat(FlushAnswer.decode(WRITTEN.encode(), ORDER, LENDER)).isEqualTo(WRITTEN);
  }

  @Test
  void everyLenderAndLeaseHasAContainerOfItsOwn() {
    assertThat(ORDER.container(LENDER)).isEqualTo("writer-r00002-7f0c2d51-42.chunks");
    HolderId other = new HolderId("1", "80aa", new PeerAddress("host", 7000));
    assertThat(ORDER.container(other)).isEqualTo("writer-r00002-80aa-42.chunks");
  }

  @Test
  void anotherLendersContainerIsRefusedByName() {
    HolderId other = new HolderId("1", "80aa", new PeerAddress("host", 7001));
    assertThatThrownBy(() -> FlushAnswer.decode(WRITTEN.encode(), ORDER, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("80aa@host:7001")
        .hasMessageContaining("writer-r00002-7f0c2d51-42.chunks' is not");
  }

  /** What a longer list promises is never made room for. */
  @Test
  void aListThatIsLongerThanItsBytesIsRefused() {
    byte[] bytes = ORDER.encode();
    int chunksAt = bytes.length - 4 - 4 - 8 - "empty".length() - 2 - 3 * 4 - 4;
    bytes[chunksAt] = 0x7f;
    assertThatThrownBy(() -> FlushOrder.decode(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an order to flush (" + bytes.length + " bytes)")
        .hasMessageContaining("a list of 2130706");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverTheBytesAreTheyAreReadOrRefused(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] order = mutated(ORDER.encode(), random);
      assertThat(Optional.ofNullable(catchThrowable(() -> FlushOrder.decode(order))))
          .as("seed %d, order %d", seed, i)
          .matches(FlushWireTest::isRefusal);
      byte[] answer = mutated(WRITTEN.encode(), random);
      assertThat(
              Optional.ofNullable(catchThrowable(() -> FlushAnswer.decode(answer, ORDER, LENDER))))
          .as("seed %d, answer %d", seed, i)
          .matches(FlushWireTest::isRefusal);
    }
  }

  private static boolean isRefusal(Optional<Throwable> thrown) {
    return thrown.isEmpty() || thrown.get() instanceof IllegalArgumentException;
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    byte[] mutated =
        random.nextInt(4) == 0
            ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 50))
            : bytes.clone();
    for (int flips = random.nextInt(5); flips > 0 && mutated.length > 0; flips--) {
      mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
    }
    return mutated;
  }
}
