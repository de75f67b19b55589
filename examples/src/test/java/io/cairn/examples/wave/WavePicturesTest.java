package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.picture.SvgCanvas;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WavePicturesTest {
  @Test
  void theOccupancyHasAnAxisOfCalls() {
    List<RunFigures.Sample> samples = new ArrayList<>();
    for (int i = 0; i <= 400; i++) {
      samples.add(new RunFigures.Sample(20L << 20, (long) (i % 50) << 22));
    }
    SvgCanvas canvas = new SvgCanvas(860, 500);

    WavePictures.occupancy(canvas, samples);

    assertThat(canvas.svg())
        .contains(">0<", ">2000<", ">4000<", ">8000<", ">calls since the start<", ">196 MiB<");
  }

  @Test
  void aRunWithoutSamplesIsDrawnEmpty() {
    SvgCanvas canvas = new SvgCanvas(860, 500);
    WavePictures.occupancy(canvas, List.of());
    assertThat(canvas.svg()).contains(">DEVICE<", ">NODE<");
  }
}
