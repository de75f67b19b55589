package io.cairn.examples.wave;

import java.util.Locale;

/**
 * A part of a grid along x, with the rim: that of one rank. Its arrays have a frame of their own,
 * which holds cells of the neighbours.
 *
 * @param first cell along x
 * @param end cell after the last one
 */
record GridSlab(Grid grid, int first, int end) {
  /** The whole grid. */
  static GridSlab whole(Grid grid) {
    return new GridSlab(grid, 0, grid.width());
  }

  /**
   * A rank's part.
   *
   * @throws IllegalArgumentException if parts are so narrow that a cell needs more than the
   *     neighbour
   */
  static GridSlab of(Grid grid, int rank, int ranks) {
    if (grid.width() / ranks < Grid.FRAME) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d cells along x for %d ranks; each needs %d or more",
              grid.width(),
              ranks,
              Grid.FRAME));
    }
    return new GridSlab(grid, grid.width() * rank / ranks, grid.width() * (rank + 1) / ranks);
  }

  int firstColumn() {
    return first * grid.breadth();
  }

  int endColumn() {
    return end * grid.breadth();
  }

  /** Cells without the frame. */
  int cells() {
    return (endColumn() - firstColumn()) * grid.height();
  }

  /** The length of an array with the frame. */
  int length() {
    return (end - first + 2 * Grid.FRAME) * grid.xStride();
  }

  /** The place of a cell of the grid in an array with the frame. */
  int at(int column, int row) {
    return local(grid.at(column, row));
  }

  /** The place here of a place in an array of the whole grid. */
  int local(int at) {
    return at - first * grid.xStride();
  }

  /** Whether a place in an array of the whole grid lies here, and not in the frame. */
  boolean holds(int at) {
    int x = at / grid.xStride() - Grid.FRAME;
    return x >= first && x < end;
  }
}
