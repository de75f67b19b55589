package io.cairn.lab.study.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

class PicturesTest {
  @TempDir Path directory;

  @Test
  void drawsTheSameAsSvgAndAsPng() throws IOException {
    List<Path> files =
        new Pictures(directory.resolve("new"))
            .save(
                "box",
                40,
                20,
                graphics -> {
                  graphics.setColor(Color.RED);
                  graphics.fillRect(10, 5, 10, 10);
                });
    assertThat(files)
        .map(file -> file.getFileName().toString())
        .containsExactly("box.svg", "box.png");
    assertThat(Files.readString(files.get(0))).contains("<svg", "fill:rgb(255,0,0)");
    BufferedImage image = ImageIO.read(files.get(1).toFile());
    assertThat(image.getWidth()).isEqualTo(80);
    assertThat(new Color(image.getRGB(30, 20))).isEqualTo(Color.RED);
    assertThat(new Color(image.getRGB(2, 2))).isEqualTo(Color.WHITE);
  }

  /**
   * XChart draws text as shapes; what can be told apart are lines, markers and how much there is.
   */
  @Test
  void chartsShowWhatIsAdded() throws IOException {
    XYChart chart = Charts.xy("A title", "x in h", "y in %");
    Charts.logarithmicX(chart);
    Charts.logarithmicY(chart);
    Charts.line(chart, "a line", new double[] {1, 10, 100}, new double[] {1, 2, 3});
    Pictures pictures = new Pictures(directory);
    String one = Files.readString(pictures.save("one", chart).get(0));
    Charts.points(chart, "a point", new double[] {10}, new double[] {2});
    String two = Files.readString(pictures.save("two", chart).get(0));
    assertThat(one).contains("rgb(31,95,168)").doesNotContain("rgb(217,108,30)");
    assertThat(two).contains("rgb(31,95,168)", "rgb(217,108,30)");
  }

  @Test
  void timesHaveRoundTicks() {
    assertThat(TimeAxis.ticks(14_000, 9)).startsWith(0.0, 1800.0).hasSize(8);
    assertThat(TimeAxis.ticks(0.7, 9)).hasSize(8);
    assertThat(TimeAxis.ticks(4e8, 9)).hasSizeBetween(4, 10).allMatch(at -> at % 86400 == 0);
    assertThat(TimeAxis.unit(new double[] {1000, 2000})).isEqualTo(TimeAxis.Unit.MINUTES);
    assertThat(TimeAxis.Unit.HOURS.of(new double[] {7200})).containsExactly(2);
    assertThat(TimeAxis.label(1800)).isEqualTo("30 min");
  }
}
