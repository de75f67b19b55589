package io.cairn.engine.sharing.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.peer.PeerAddress;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What processes say to each other besides leases and plans. */
class PeerMessagesTest {
  private static final Greeting GREETING =
      new Greeting(
          "3/nonce@host:1",
          "here",
          4096,
          List.of(
              new SlotExport(0, 7, new ExportedMemory("shm", new byte[] {1, 2, 3})),
              new SlotExport(7, 2, new ExportedMemory("shm", new byte[0]))));

  @Test
  void aHolderIsWrittenAndReadBack() {
    HolderId id = HolderId.of("3", new PeerAddress("host-1.example", 4040));
    assertThat(HolderId.parse(id.toString())).isEqualTo(id);
    assertThat(HolderId.parse(id.toString()).process()).isEqualTo("3");
    assertThat(HolderId.of("3", id.address())).isNotEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "3/n@host", "3/n@host:", "3/n@host:x", "3/n@host:0", "n@host:1", "@h:1"})
  void whatIsNoHolderIsRefused(String text) {
    assertThatThrownBy(() -> HolderId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aGreetingIsWrittenAndReadBack() throws IOException {
    assertThat(Greeting.decode(GREETING.encode())).isEqualTo(GREETING);
  }

  @RepeatedTest(50)
  void damagedGreetingsAreRefusedAndNothingElse(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = GREETING.encode();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      byte[] cut =
          random.nextBoolean() ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
      Throwable thrown = catchThrowable(() -> Greeting.decode(cut));
      if (thrown != null) {
        assertThat(thrown).as("seed %d, round %d", seed, round).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aQuestionWithoutAKnownSubjectIsRefused() {
    assertThatThrownBy(() -> PeerCall.of(new byte[0])).hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> PeerCall.of(new byte[] {99})).hasMessageContaining("no known subject");
    for (PeerCall call : PeerCall.values()) {
      byte[] question = call.with(new byte[] {5, 6});
      assertThat(PeerCall.of(question)).isEqualTo(call);
      assertThat(PeerCall.rest(question)).containsExactly(5, 6);
    }
  }
}
