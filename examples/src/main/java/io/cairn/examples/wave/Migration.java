package io.cairn.examples.wave;

import io.cairn.Region;
import io.cairn.adjoint.AdjointProgram;
import io.cairn.adjoint.PackedField;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The migration of one shot. The forward pass runs the source's wave through the smooth model. The
 * backward pass runs the recorded differences through it, backward in time, and adds up the image
 * where both meet: {@code −Σ (u⁺ − 2u + u⁻) v}.
 */
final class Migration implements AdjointProgram {
  private final Survey survey;
  private final GridSlab slab;
  private final Neighbours neighbours;
  private final Propagator propagator;
  private final int sourceAt;
  private final int[] receivers;
  private final double[][] residual;

  /** The field of an even step and that of an odd one, with the frame. */
  private final double[] even;

  private final double[] odd;

  /** The field of the step, without the frame: a reversal reads it. */
  private final float[] field;

  /** The fields of the two steps after the one that is reversed. */
  private final float[] next;

  private final float[] nextButOne;
  private final double[] adjointEven;
  private final double[] adjointOdd;
  private final double[] image;
  private final double[] illumination;

  /** The largest magnitude of all fields so far, for those that are packed. */
  private final double[] largest = new double[1];

  private final double bound;
  private final @Nullable PackedField packed;

  /** The migration of a shot, with fields as they are. */
  Migration(Survey survey, double[] smoothModel, Source source, double[][] residual) {
    this(survey, smoothModel, source, residual, 0);
  }

  /**
   * The migration of a shot.
   *
   * @param bound the largest error of a stored value, as a part of the largest value so far; 0 to
   *     store fields as they are
   */
  Migration(Survey survey, double[] smoothModel, Source source, double[][] residual, double bound) {
    this(
        survey,
        GridSlab.whole(survey.grid()),
        Neighbours.NONE,
        smoothModel,
        source,
        residual,
        bound);
  }

  /** One rank's part of the migration of a shot, in a slab. */
  Migration(
      Survey survey,
      GridSlab slab,
      Neighbours neighbours,
      double[] smoothModel,
      Source source,
      double[][] residual,
      double bound) {
    this.survey = survey;
    this.slab = slab;
    this.neighbours = neighbours;
    propagator = new Propagator(slab, smoothModel, survey.dt());
    sourceAt = survey.place(source);
    receivers = survey.receivers();
    this.residual = residual;
    even = new double[slab.length()];
    odd = new double[slab.length()];
    adjointEven = new double[slab.length()];
    adjointOdd = new double[slab.length()];
    field = new float[slab.cells()];
    next = new float[slab.cells()];
    nextButOne = new float[slab.cells()];
    this.bound = bound;
    packed = bound > 0 ? new PackedField(slab.cells()) : null;
    image = new double[slab.cells()];
    illumination = new double[slab.cells()];
  }

  @Override
  public List<Region> restart() {
    return List.of(
        Region.of("even", even),
        Region.of("odd", odd),
        Region.of("field", field),
        Region.of("largest", largest));
  }

  @Override
  public List<Region> read() {
    return List.of(
        packed == null ? Region.of("field", field) : Region.of("packed", packed.memory()));
  }

  @Override
  public long readBytes(String region) {
    return packed == null ? -1 : packed.length();
  }

  @Override
  public List<Region> adjoint() {
    return List.of(
        Region.of("adjointEven", adjointEven),
        Region.of("adjointOdd", adjointOdd),
        Region.of("next", next),
        Region.of("nextButOne", nextButOne),
        Region.of("image", image),
        Region.of("illumination", illumination));
  }

  @Override
  public long least(long value) {
    return neighbours.least(value);
  }

  @Override
  public void step(long step) {
    double[] now = step % 2 == 0 ? even : odd;
    double[] after = step % 2 == 0 ? odd : even;
    neighbours.exchange(now);
    propagator.step(now, after);
    inject(after, sourceAt, survey.wavelet(step));
    int cell = 0;
    for (int column = slab.firstColumn(); column < slab.endColumn(); column++) {
      int at = slab.at(column, 0);
      for (int row = 0; row < slab.grid().height(); row++) {
        field[cell++] = (float) after[at + row];
      }
    }
    if (step == survey.steps() - 1) {
      System.arraycopy(field, 0, next, 0, field.length);
    }
    if (packed != null) {
      for (float value : field) {
        largest[0] = Math.max(largest[0], Math.abs(value));
      }
      largest[0] = neighbours.most(largest[0]);
    }
    restored();
  }

  @Override
  public void restored() {
    if (packed != null) {
      packed.pack(field, bound * largest[0]);
    }
  }

  @Override
  public void reverse(long step) {
    if (packed != null) {
      packed.unpack(field);
    }
    double[] now = step % 2 == 0 ? adjointEven : adjointOdd;
    double[] after = step % 2 == 0 ? adjointOdd : adjointEven;
    // The field before this step completes the second difference at the step after it.
    if (step < survey.steps() - 1) {
      addImage(now);
    }
    shift();
    neighbours.exchange(now);
    propagator.step(now, after);
    for (int i = 0; i < receivers.length; i++) {
      inject(after, receivers[i], residual[i][(int) step]);
    }
    if (step == 0) {
      Arrays.fill(field, 0); // before the source begins, all is at rest
      addImage(after);
    }
  }

  /** Adds a source if it lies in the slab. */
  private void inject(double[] after, int at, double value) {
    if (slab.holds(at)) {
      propagator.inject(after, slab.local(at), value);
    }
  }

  private void shift() {
    System.arraycopy(next, 0, nextButOne, 0, next.length);
    System.arraycopy(field, 0, next, 0, field.length);
  }

  private void addImage(double[] adjoint) {
    int cell = 0;
    for (int column = slab.firstColumn(); column < slab.endColumn(); column++) {
      int at = slab.at(column, 0);
      for (int row = 0; row < slab.grid().height(); row++, cell++) {
        double second = nextButOne[cell] - 2.0 * next[cell] + field[cell];
        image[cell] -= second * adjoint[at + row];
        illumination[cell] += second * second;
      }
    }
  }

  /** The image so far, by cell without the frame. */
  double[] image() {
    return image.clone();
  }

  /** The energy of the source's wave in each cell. */
  double[] illumination() {
    return illumination.clone();
  }

  /** The field of the step, by cell without the frame. */
  float[] field() {
    return field.clone();
  }

  /** Puts a field of {@link #field} back, for a reversal. */
  void setField(float[] of) {
    System.arraycopy(of, 0, field, 0, field.length);
  }
}
