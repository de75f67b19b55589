package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.adjoint.history.LoanMessage.Borrow;
import io.cairn.adjoint.history.LoanMessage.Kept;
import io.cairn.adjoint.history.LoanMessage.Lent;
import io.cairn.adjoint.history.LoanMessage.Recall;
import io.cairn.adjoint.history.LoanMessage.Report;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages about loans as bytes. */
class LoanMessageTest {
  static List<LoanMessage> messages() {
    ExportedMemory slab = new ExportedMemory("shm", new byte[] {1, 2, 3});
    return List.of(
        new Report(3, -7, 12, true, 4096, -100),
        new Borrow(1, 16384, 9),
        new Lent(List.of(), List.of()),
        new Lent(
            List.of(slab, slab),
            List.of(new LentSpan(0, 5, 2), new LentSpan(0, 9, 1), new LentSpan(1, 0, 4096))),
        new Recall(),
        new Kept());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void comesBackAsItWas(LoanMessage message) throws IOException {
    assertThat(LoanMessage.decode(message.encode())).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void damagedBytesEndInAMessageOrAnIoException(LoanMessage message) {
    SplittableRandom random = new SplittableRandom(17);
    byte[] whole = message.encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatIOException().isThrownBy(() -> LoanMessage.decode(part));
    }
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = whole.clone();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(LoanMessage.decode(damaged)).isNotNull();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("about memory of other processes");
      }
    }
  }

  @Test
  void refusesWhatNoProcessSends() {
    byte[] bytes = new Kept().encode();
    assertThatIOException()
        .isThrownBy(() -> LoanMessage.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .withMessageContaining("1 bytes follow it");
    bytes[0]++;
    assertThatIOException()
        .isThrownBy(() -> LoanMessage.decode(bytes))
        .withMessageContaining("version 2, this is 1");
    byte[] stray = new Lent(List.of(), List.of(new LentSpan(0, 0, 1))).encode();
    assertThatIOException()
        .isThrownBy(() -> LoanMessage.decode(stray))
        .withMessageContaining("of 0 slabs");
  }

  @Test
  void chunksBecomeTheFewestSpans() {
    int[] chunks = {9, 3, 4, 5, 8, 7, 20, 16};
    assertThat(LentSpan.of(chunks, 8))
        .containsExactly(
            new LentSpan(0, 3, 3),
            new LentSpan(0, 7, 1),
            new LentSpan(1, 0, 2),
            new LentSpan(2, 0, 1),
            new LentSpan(2, 4, 1));
  }
}
