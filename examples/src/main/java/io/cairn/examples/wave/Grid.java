package io.cairn.examples.wave;

/**
 * A box of equal cells, or a plane of them, with a rim that damps waves, and a frame of zeros
 * around it. Columns are vertical, and their cells lie next to each other. They are numbered along
 * y, then along x.
 *
 * @param xCells along x, without the rim
 * @param yCells along y, without the rim; 1 for a plane, which has no rim and no frame along y
 * @param zCells from the surface down, without the rim
 * @param rim cells on each side
 * @param meters between two cells
 */
record Grid(int xCells, int yCells, int zCells, int rim, double meters) {
  /** Half the width of the operator of order 8. */
  static final int FRAME = 4;

  /** 3.0 km by 1.5 km. */
  static final Grid PLANE = new Grid(241, 121, 40, 12.5);

  /** 1.0 km by 1.0 km by 0.8 km; with the rim 61 by 61 by 53 cells. */
  static final Grid BOX = new Grid(41, 41, 33, 10, 25);

  /** A plane. */
  Grid(int xCells, int zCells, int rim, double meters) {
    this(xCells, 1, zCells, rim, meters);
  }

  boolean isPlane() {
    return yCells == 1;
  }

  /** Cells along x with the rim. */
  int width() {
    return xCells + 2 * rim;
  }

  /** Cells along y with the rim. */
  int breadth() {
    return yCells + 2 * yRim();
  }

  /** Cells of a column with the rim. */
  int height() {
    return zCells + 2 * rim;
  }

  /** Columns with the rim. */
  int columns() {
    return width() * breadth();
  }

  /** Cells with the rim. */
  int cells() {
    return columns() * height();
  }

  /** The distance of neighbours along x in an array with the frame. */
  int xStride() {
    return (breadth() + 2 * yFrame()) * yStride();
  }

  /** The distance of neighbours along y in an array with the frame. */
  int yStride() {
    return height() + 2 * FRAME;
  }

  /** The length of an array with the frame. */
  int length() {
    return (width() + 2 * FRAME) * xStride();
  }

  /** The place of a cell in an array with the frame; columns and rows count from the rim's edge. */
  int at(int column, int row) {
    int x = column / breadth() + FRAME;
    int y = column % breadth() + yFrame();
    return x * xStride() + y * yStride() + row + FRAME;
  }

  /** The place of the cell nearest to a point, in meters from the corner within the rim. */
  int at(double x, double y, double z) {
    int column = (near(x) + rim) * breadth() + near(y) + yRim();
    return at(column, near(z) + rim);
  }

  private int near(double at) {
    return (int) Math.round(at / meters);
  }

  /** Columns without those of the rim. */
  int innerColumns() {
    return xCells * yCells;
  }

  /** The column of a number among those without the rim. */
  int innerColumn(int number) {
    return (number / yCells + rim) * breadth() + number % yCells + yRim();
  }

  /** Values of all cells, by column and row, without those of the rim. */
  double[][] inner(float[] values) {
    double[][] inner = new double[innerColumns()][zCells];
    for (int number = 0; number < inner.length; number++) {
      int top = innerColumn(number) * height() + rim;
      for (int row = 0; row < zCells; row++) {
        inner[number][row] = values[top + row];
      }
    }
    return inner;
  }

  /** The columns at a y, of all those without the rim; those of a plane. */
  double[][] alongX(double[][] inner, double y) {
    double[][] slice = new double[xCells][];
    for (int x = 0; x < xCells; x++) {
      slice[x] = inner[x * yCells + near(y)];
    }
    return slice;
  }

  /** The columns at an x, of all those without the rim. */
  double[][] alongY(double[][] inner, double x) {
    double[][] slice = new double[yCells][];
    for (int y = 0; y < yCells; y++) {
      slice[y] = inner[near(x) * yCells + y];
    }
    return slice;
  }

  /** Meters along x from the corner within the rim. */
  double x(int column) {
    return (column / breadth() - rim) * meters;
  }

  /** Meters along y from the corner within the rim. */
  double y(int column) {
    return (column % breadth() - yRim()) * meters;
  }

  /** Meters below the surface. */
  double z(int row) {
    return (row - rim) * meters;
  }

  /** Meters along x without the rim. */
  double xMeters() {
    return (xCells - 1) * meters;
  }

  /** Meters along y without the rim. */
  double yMeters() {
    return (yCells - 1) * meters;
  }

  /** Meters from the surface to the deepest cell within the rim. */
  double zMeters() {
    return (zCells - 1) * meters;
  }

  /** Meters into the rim; 0 outside of it. */
  double intoRim(int column, int row) {
    double across = Math.max(beyond(x(column), xMeters()), beyond(y(column), yMeters()));
    return Math.max(across, beyond(z(row), zMeters()));
  }

  private static double beyond(double at, double end) {
    return Math.max(0, Math.max(-at, at - end));
  }

  private int yRim() {
    return isPlane() ? 0 : rim;
  }

  private int yFrame() {
    return isPlane() ? 0 : FRAME;
  }
}
