package io.cairn.examples.wave;

/** The other ranks of a migration, as one rank sees them. All ranks make the same calls. */
interface Neighbours {
  /** There are none. */
  Neighbours NONE =
      new Neighbours() {
        @Override
        public void exchange(double[] field) {
          // The frame is zero at the edges of the grid.
        }

        @Override
        public double most(double value) {
          return value;
        }

        @Override
        public long least(long value) {
          return value;
        }
      };

  /** Fills the frame of a slab's field with the columns beside it. */
  void exchange(double[] field);

  /** The largest value of all ranks. */
  double most(double value);

  /** The least value of all ranks. */
  long least(long value);
}
