package io.cairn.examples.wave;

/**
 * A plane of equal cells, with a rim that damps waves, and a frame of zeros around it. Cells of one
 * column lie next to each other.
 *
 * @param columns without the rim
 * @param rows without the rim
 * @param rim cells on each side
 * @param meters between two cells
 */
record Grid(int columns, int rows, int rim, double meters) {
  /** Half the width of the operator of order 8. */
  static final int FRAME = 4;

  /** 3.0 km by 1.5 km. */
  static final Grid STANDARD = new Grid(241, 121, 40, 12.5);

  /** Columns with the rim. */
  int width() {
    return columns + 2 * rim;
  }

  /** Rows with the rim. */
  int height() {
    return rows + 2 * rim;
  }

  /** Cells with the rim. */
  int cells() {
    return width() * height();
  }

  /** The distance of two columns in an array with the frame. */
  int stride() {
    return height() + 2 * FRAME;
  }

  /** The length of an array with the frame. */
  int length() {
    return (width() + 2 * FRAME) * stride();
  }

  /** The place of a cell in an array with the frame; columns and rows count from the rim's edge. */
  int at(int column, int row) {
    return (column + FRAME) * stride() + row + FRAME;
  }

  /** The place of the cell nearest to a point, in meters from the corner within the rim. */
  int at(double x, double z) {
    return at((int) Math.round(x / meters) + rim, (int) Math.round(z / meters) + rim);
  }

  /** Values of all cells, column by column, without those of the rim. */
  double[][] inner(float[] values) {
    double[][] inner = new double[columns][rows];
    for (int column = 0; column < columns; column++) {
      for (int row = 0; row < rows; row++) {
        inner[column][row] = values[(column + rim) * height() + row + rim];
      }
    }
    return inner;
  }

  /** Meters from the corner within the rim. */
  double x(int column) {
    return (column - rim) * meters;
  }

  /** Meters below the surface. */
  double z(int row) {
    return (row - rim) * meters;
  }

  /** Meters into the rim; 0 outside of it. */
  double intoRim(int column, int row) {
    return Math.max(beyond(column, columns), beyond(row, rows)) * meters;
  }

  private int beyond(int cell, int inner) {
    return Math.max(0, Math.max(rim - cell, cell - (rim + inner - 1)));
  }
}
