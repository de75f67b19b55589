package io.cairn.cache.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ExportedMemoryTest {
  private static final ExportedMemory HANDLE = new ExportedMemory("shm", new byte[] {1, 2, 3});

  @Test
  void comesBackAsItWas() throws Exception {
    assertThat(ExportedMemory.decode(HANDLE.encode())).isEqualTo(HANDLE).hasSameHashCodeAs(HANDLE);
    ExportedMemory longest = new ExportedMemory("abcdefghijklmnop", new byte[4096]);
    assertThat(ExportedMemory.decode(longest.encode())).isEqualTo(longest);
  }

  @Test
  void itsLayoutIsTheDocumentedOne() {
    assertThat(HANDLE.encode()).isEqualTo("CXM1\3shm\0\3\1\2\3".getBytes(US_ASCII));
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ExportedMemory("", new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> new ExportedMemory("SHM", new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> new ExportedMemory("a", new byte[4097]));
  }

  @Test
  void everyTruncationAndExtensionIsRefused() {
    byte[] good = HANDLE.encode();
    for (int length = 0; length < good.length + 3; length++) {
      if (length != good.length) {
        byte[] bad = Arrays.copyOf(good, length);
        assertThatIOException()
            .as("%d bytes", length)
            .isThrownBy(() -> ExportedMemory.decode(bad))
            .withMessageContaining("offset");
      }
    }
  }

  @RepeatedTest(200)
  void garbageIsAnIoExceptionOrAHandle(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    byte[] bytes = HANDLE.encode();
    for (int i = 0; i < 3; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    try {
      assertThat(ExportedMemory.decode(bytes).encode()).isEqualTo(bytes);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("offset");
    }
  }
}
