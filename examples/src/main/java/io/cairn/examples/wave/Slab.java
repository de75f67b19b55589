package io.cairn.examples.wave;

/**
 * Neighbouring columns of a grid, with the rim: one rank's part. Its arrays have a frame of their
 * own, which holds columns of the neighbours.
 *
 * @param first column
 * @param end column after the last one
 */
record Slab(Grid grid, int first, int end) {
  /** The whole grid. */
  static Slab whole(Grid grid) {
    return new Slab(grid, 0, grid.width());
  }

  /**
   * A rank's part.
   *
   * @throws IllegalArgumentException if parts are so narrow that a cell needs more than the
   *     neighbour
   */
  static Slab of(Grid grid, int rank, int ranks) {
    if (grid.width() / ranks < Grid.FRAME) {
      throw new IllegalArgumentException(
          "%d columns for %d ranks; each needs %d or more"
              .formatted(grid.width(), ranks, Grid.FRAME));
    }
    return new Slab(grid, grid.width() * rank / ranks, grid.width() * (rank + 1) / ranks);
  }

  int width() {
    return end - first;
  }

  /** Cells without the frame. */
  int cells() {
    return width() * grid.height();
  }

  /** The length of an array with the frame. */
  int length() {
    return (width() + 2 * Grid.FRAME) * grid.stride();
  }

  /** The place of a cell of the grid in an array with the frame. */
  int at(int column, int row) {
    return local(grid.at(column, row));
  }

  /** The place here of a place in an array of the whole grid. */
  int local(int at) {
    return at - first * grid.stride();
  }

  /** Whether a place in an array of the whole grid lies here, and not in the frame. */
  boolean holds(int at) {
    int column = at / grid.stride() - Grid.FRAME;
    return column >= first && column < end;
  }
}
