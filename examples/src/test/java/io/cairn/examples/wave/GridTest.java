package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Columns, places and the rim of a box and of a plane. */
class GridTest {
  private static final Grid BOX = new Grid(5, 4, 3, 2, 10);
  private static final Grid PLANE = new Grid(5, 3, 2, 10);

  @Test
  void aBoxIsDampedOnAllSides() {
    for (int column = 0; column < BOX.columns(); column++) {
      for (int row = 0; row < BOX.height(); row++) {
        double x = beyond(BOX.x(column), 40);
        double y = beyond(BOX.y(column), 30);
        double z = beyond(BOX.z(row), 20);
        assertThat(BOX.intoRim(column, row)).isEqualTo(Math.max(x, Math.max(y, z)));
      }
    }
    assertThat(BOX.intoRim(0, 4)).isEqualTo(20);
    assertThat(BOX.intoRim(4 * BOX.breadth(), 3)).as("the edge of y").isEqualTo(20);
  }

  private static double beyond(double at, double end) {
    return at < 0 ? -at : at > end ? at - end : 0;
  }

  @Test
  void everyCellHasItsPlaceWithinTheFrame() {
    for (Grid grid : new Grid[] {BOX, PLANE}) {
      Set<Integer> places = new HashSet<>();
      for (int column = 0; column < grid.columns(); column++) {
        for (int row = 0; row < grid.height(); row++) {
          int at = grid.at(column, row);
          places.add(at);
          assertThat(at - Grid.FRAME * grid.xStride()).isNotNegative();
          assertThat(at + Grid.FRAME * grid.xStride()).isLessThan(grid.length());
          assertThat(grid.at(grid.x(column), grid.y(column), grid.z(row))).isEqualTo(at);
        }
      }
      assertThat(places).hasSize(grid.cells());
    }
  }

  @Test
  void slicesTakeTheColumnsOfTheirLine() {
    float[] values = new float[BOX.cells()];
    for (int cell = 0; cell < values.length; cell++) {
      int column = cell / BOX.height();
      int row = cell % BOX.height();
      values[cell] = (float) (BOX.x(column) + BOX.y(column) / 100 + BOX.z(row) * 100);
    }
    double[][] inner = BOX.inner(values);
    assertThat(inner).hasDimensions(20, 3);
    double[][] alongX = BOX.alongX(inner, 20);
    assertThat(alongX).hasDimensions(5, 3);
    assertThat(alongX[3][2]).isEqualTo((float) (30 + 0.2 + 2000));
    double[][] alongY = BOX.alongY(inner, 30);
    assertThat(alongY).hasDimensions(4, 3);
    assertThat(alongY[1][2]).isEqualTo((float) (30 + 0.1 + 2000));
  }

  @Test
  void aPlaneHasOneLine() {
    assertThat(PLANE.columns()).isEqualTo(9);
    assertThat(PLANE.cells()).isEqualTo(9 * 7);
    assertThat(PLANE.alongX(PLANE.inner(new float[PLANE.cells()]), 0)).hasDimensions(5, 3);
  }
}
