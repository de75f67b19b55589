package io.cairn.examples.wave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The shots of a survey over the real earth, seen through the smooth model. */
final class Shots {
  private static final double SIGMA_METERS = 100;

  private final Survey survey;
  private final double[] real;
  private final double[] smooth;

  Shots(Survey survey) {
    this.survey = survey;
    real = survey.earth().real(survey.grid());
    smooth = survey.earth().smooth(survey.grid(), SIGMA_METERS);
  }

  Survey survey() {
    return survey;
  }

  /** The record of the receivers. */
  double[][] record(Source source) {
    return survey.record(real, source);
  }

  /** The migration of a shot, at its start, with fields as they are. */
  Migration migration(Source source) {
    return migration(source, 0);
  }

  /** The same, with fields within a bound. */
  Migration migration(Source source, double bound) {
    double[][] modelled = survey.record(smooth, source);
    double[][] residual = survey.residual(record(source), modelled, source);
    return new Migration(survey, smooth, source, residual, bound);
  }

  /** The migration of a shot by ranks, each of which has a slab and a thread. */
  List<Migration> migration(Source source, double bound, ValueExchange exchange, int ranks) {
    double[][] modelled = survey.record(smooth, source);
    double[][] residual = survey.residual(record(source), modelled, source);
    return IntStream.range(0, ranks)
        .mapToObj(
            rank ->
                new Migration(
                    survey,
                    GridSlab.of(survey.grid(), rank, ranks),
                    exchange.of(rank),
                    smooth,
                    source,
                    residual,
                    bound))
        .toList();
  }

  /** The fields of a source over the real earth after some steps, by column without the rim. */
  List<double[][]> fields(Source source, List<Integer> steps) {
    Migration shot = new Migration(survey, real, source, new double[0][0]);
    List<double[][]> fields = new ArrayList<>();
    for (int step = 0; step < survey.steps(); step++) {
      if (steps.contains(step)) {
        fields.add(survey.grid().inner(shot.field()));
      }
      shot.step(step);
    }
    return fields;
  }

  /** The image of all ranks, in one. */
  static double[] image(List<Migration> ranks) {
    return ranks.stream().flatMapToDouble(rank -> Arrays.stream(rank.image())).toArray();
  }

  /** The illumination of all ranks, in one. */
  static double[] illumination(List<Migration> ranks) {
    return ranks.stream().flatMapToDouble(rank -> Arrays.stream(rank.illumination())).toArray();
  }

  /** Runs a migration with all fields in memory. */
  static void runInMemory(Migration migration, int steps) {
    float[][] fields = new float[steps][];
    for (int step = 0; step < steps; step++) {
      fields[step] = migration.field();
      migration.step(step);
    }
    for (int step = steps - 1; step >= 0; step--) {
      migration.setField(fields[step]);
      migration.reverse(step);
    }
  }
}
