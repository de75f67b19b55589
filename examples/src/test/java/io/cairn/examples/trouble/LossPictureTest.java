package io.cairn.examples.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.picture.Canvas;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The picture of the losses, whose labels lie beside the curves. */
class LossPictureTest {
  private static final int SIZE = 11;

  private record Label(Canvas.Spot at, String text) {
    boolean covers(Canvas.Spot spot) {
      double right = at.x() + Canvas.width(text, SIZE);
      return spot.x() > at.x() && spot.x() < right && spot.y() > at.y() - SIZE && spot.y() < at.y();
    }
  }

  /** Remembers labels of roll-backs, and all points of lines and discs. */
  private static final class Recorder implements Canvas {
    private final List<Label> labels = new ArrayList<>();
    private final List<Spot> spots = new ArrayList<>();

    @Override
    public void line(List<Spot> through, Pen pen) {
      spots.addAll(through);
    }

    @Override
    public void shape(List<Spot> corners, int fillRgb) {
      spots.addAll(corners);
    }

    @Override
    public void disc(Spot centre, double radius, int fillRgb, Pen rim) {
      spots.add(new Spot(centre.x(), centre.y() - radius));
    }

    @Override
    public void text(Spot at, String text, TextStyle style) {
      if (text.contains("DEVICE")) {
        assertThat(style.anchor()).isEqualTo(Anchor.START);
        assertThat(style.size()).isEqualTo(SIZE);
        labels.add(new Label(at, text));
      }
    }
  }

  private static TroubleReport.Training training(String name, List<TroubleReport.Back> backs) {
    List<TroubleReport.Loss> losses =
        IntStream.range(0, 172)
            .mapToObj(i -> new TroubleReport.Loss(i, i % 2 == 0 ? Double.NaN : 100.0))
            .toList();
    return new TroubleReport.Training(
        name, List.of(new Plants.Planted(50, "NaN")), backs, "", "", 0.9, true, losses);
  }

  private static TroubleReport.Back back(long iteration, int restored) {
    return new TroubleReport.Back(
        iteration, Double.NaN, "e1-i" + restored, restored, "DEVICE", 12.5, "");
  }

  @Test
  void noLabelCoversACurveOrAnotherLabel() {
    Recorder canvas = new Recorder();

    new LossPicture(
            new TroubleReport(
                true,
                172,
                List.of(
                    training("undisturbed", List.of()),
                    training(
                        "faults",
                        List.of(back(51, 50), back(95, 94), back(95, 93), back(137, 136))),
                    training("rate", List.of(back(166, 164), back(166, 163), back(167, 166)))),
                1))
        .draw(canvas);

    assertThat(canvas.labels)
        .extracting(Label::text)
        .containsExactly(
            "e1-i50 at DEVICE, 12.5 ms",
            "e1-i94, e1-i93 at DEVICE, 12.5 to 12.5 ms",
            "e1-i136 at DEVICE, 12.5 ms",
            "e1-i164, e1-i163, e1-i166 at DEVICE, 12.5 to 12.5 ms");
    for (Label label : canvas.labels) {
      assertThat(canvas.spots).noneMatch(label::covers);
      assertThat(label.at().x() + Canvas.width(label.text(), SIZE)).isLessThan(1000);
      for (Label other : canvas.labels) {
        boolean sameRow = Math.abs(other.at().y() - label.at().y()) < SIZE;
        assertThat(sameRow && label.covers(new Canvas.Spot(other.at().x(), label.at().y() - 1)))
            .isFalse();
      }
    }
  }
}
