package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image of a survey shows the earth that made the data. */
class ImageTest {
  private static final int STEPS = 800;

  /** In cells of a box. */
  private static final double TOLERANCE = 1.5;

  private final Shots shots = new Shots(Survey.plane(STEPS));

  @Test
  void echoesArriveWhenTheyShould() {
    double[] trace = shots.record(new Source(1500))[120];
    assertThat(peak(trace, 0, 150)).isCloseTo(54, within(3));
    assertThat(peak(trace, 250, 360)).isCloseTo(304, within(3));
    assertThat(peak(trace, 420, 500)).isCloseTo(461, within(3));
    assertThat(peak(trace, 590, 680)).isCloseTo(637, within(3));
  }

  private static int peak(double[] trace, int from, int to) {
    return IntStream.range(from, to)
        .reduce((a, b) -> Math.abs(trace[a]) >= Math.abs(trace[b]) ? a : b)
        .orElseThrow();
  }

  @Test
  @Tag("proof")
  void theImageShowsInterfacesAndDisc() {
    Stack stack = new Stack(shots.survey().grid());
    List<Migration> done =
        shots.survey().sources().parallelStream()
            .map(
                source -> {
                  Migration migration = shots.migration(source);
                  Shots.runInMemory(migration, STEPS);
                  return migration;
                })
            .toList();
    done.forEach(each -> stack.add(each.image(), each.illumination()));
    for (Earth.Face face : Earth.PLANE.faces()) {
      assertThat(stack.worstMeters(face)).as(face.name()).isLessThanOrEqualTo(20);
    }
    double[] spot = strongest(stack.normalized());
    assertThat(spot[0]).isCloseTo(1800, within(50.0));
    assertThat(spot[1]).isCloseTo(900, within(50.0));
  }

  /** One shot above the middle shows them there. */
  @Test
  void theImageOfABoxShowsItsInterfaces() {
    Survey survey = Survey.box(230);
    Shots over = new Shots(survey);
    Migration migration = over.migration(survey.middle());
    Shots.runInMemory(migration, survey.steps());
    Stack stack = new Stack(survey.grid());
    stack.add(migration.image(), migration.illumination());
    for (Earth.Face face : Earth.BOX.faces()) {
      assertThat(stack.worstMeters(face) / survey.grid().meters())
          .as(face.name())
          .isLessThanOrEqualTo(TOLERANCE);
    }
    double[] trace = over.record(survey.middle())[survey.receiverAt(survey.middle())];
    for (double expected : survey.echoes(survey.middle())) {
      int at = (int) Math.round(expected);
      assertThat((double) peak(trace, at - 20, at + 20)).isCloseTo(expected, within(5.0));
    }
  }

  /** The strongest spot of the image between the second interface and the third. */
  private static double[] strongest(double[][] image) {
    double[] found = {0, 0, -1};
    for (int column = 60; column <= 180; column++) {
      double x = column * 12.5;
      for (int row = 0; row < image[column].length; row++) {
        double z = row * 12.5;
        boolean between = z > depth(1, x) + 75 && z < depth(2, x) - 75;
        if (between && Math.abs(image[column][row]) > found[2]) {
          found[0] = x;
          found[1] = z;
          found[2] = Math.abs(image[column][row]);
        }
      }
    }
    return found;
  }

  private static double depth(int face, double x) {
    return Earth.PLANE.faces().get(face).depth(x, 0);
  }
}
