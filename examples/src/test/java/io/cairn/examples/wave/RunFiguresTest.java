package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.examples.wave.RunFigures.Sample;
import io.cairn.examples.wave.Transfers.LevelBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of a run are those of all its processes. */
class RunFiguresTest {
  private final RunFigures figures = new RunFigures();

  private static Transfers transfers(long down, long up, long nanos) {
    return new Transfers(
        List.of(new LevelBytes("DEVICE", down, up), new LevelBytes("NODE", down, up + 1)), nanos);
  }

  @Test
  void aKilledProcessCountsUpToItsLastSample() {
    figures.goesOn(new Sample(1, 1), transfers(10, 0, 5));
    figures.ends(0, transfers(100, 80, 7));
    figures.goesOn(new Sample(2, 1), transfers(20, 0, 1));
    figures.goesOn(new Sample(3, 1), transfers(30, 4, 2));
    figures.killed();
    figures.goesOn(new Sample(4, 1), transfers(5, 0, 0));
    figures.ends(3, transfers(70, 90, 4));

    assertThat(figures.transfers())
        .isEqualTo(
            new Transfers(
                List.of(new LevelBytes("DEVICE", 200, 174), new LevelBytes("NODE", 200, 177)), 13));
    assertThat(figures.recomputed()).isEqualTo(3);
    assertThat(figures.samples()).hasSize(4);
  }

  @Test
  void aWordCarriesAllTransfers() {
    Transfers sent = transfers(1L << 40, 3, 17);
    assertThat(Transfers.parse(sent.word())).isEqualTo(sent);
    assertThat(Transfers.parse(Transfers.NONE.word())).isEqualTo(Transfers.NONE);
  }
}
