package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.Presets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PlayedMachineTest {
  private static final int CHUNK_BYTES = 1000;

  @Test
  void allDevicesAreThePreset() {
    Topology preset = Presets.dgx1V100().topology();
    Topology played = PlayedMachine.real(8);
    assertThat(played.devices()).isEqualTo(preset.devices());
    assertThat(played.sharedHostLinks()).isEqualTo(preset.sharedHostLinks());
    for (int from = 0; from < 8; from++) {
      assertThat(played.hostBytesPerSecond(from)).isEqualTo(preset.hostBytesPerSecond(from));
      for (int to = 0; to < 8; to++) {
        assertThat(played.linkBytesPerSecond(from, to))
            .isEqualTo(preset.linkBytesPerSecond(from, to));
      }
    }
  }

  @Test
  void fewDevicesShareWhatTheyWouldShareAmongAll() {
    Topology three = PlayedMachine.real(3);
    assertThat(three.sharedHostLinkOf(0)).isEqualTo(three.sharedHostLinkOf(1));
    assertThat(three.sharedHostLinkOf(2)).isNotEqualTo(three.sharedHostLinkOf(1));
  }

  @Test
  void chunksTakeAsLongAsItIsSlowed() {
    PlayedMachine machine = new PlayedMachine(8, CHUNK_BYTES, 200);
    double real = PlayedMachine.REAL_CHUNK_BYTES / PlayedMachine.real(8).hostBytesPerSecond(0);
    double played = CHUNK_BYTES / machine.topology().hostBytesPerSecond(0);
    assertThat(played / real).isCloseTo(200, within(1e-9));
  }

  @RepeatedTest(50)
  void playedBytesHaveAsManyChunks(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    long bytes = new SplittableRandom(seed).nextLong(1, 400_000_000);
    PlayedMachine machine = new PlayedMachine(8, CHUNK_BYTES, 1);
    long chunks = (bytes + PlayedMachine.REAL_CHUNK_BYTES - 1) / PlayedMachine.REAL_CHUNK_BYTES;
    assertThat((machine.played(bytes) + CHUNK_BYTES - 1) / CHUNK_BYTES)
        .as("%d bytes, seed %d", bytes, seed)
        .isEqualTo(chunks);
  }
}
