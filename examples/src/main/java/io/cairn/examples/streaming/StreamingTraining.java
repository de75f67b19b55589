package io.cairn.examples.streaming;

import io.cairn.Cairn;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A linear model that learns from a stream in {@code foreachBatch}. The id of a batch is the
 * iteration, and the weights are the driver's. Each batch counts once, however often the driver
 * dies:
 *
 * <ul>
 *   <li>A batch returns when STORE has sealed its checkpoint. Spark notes a batch as done after its
 *       return, so STORE is never behind Spark's notes.
 *   <li>STORE may be one batch ahead of them. Spark then runs that batch again, and the model,
 *       which contains it, skips it.
 *   <li>A batch that does not follow the newest checkpoint fails the query: the state misses a
 *       batch that Spark will not run again.
 * </ul>
 *
 * <p>Spark fixes the rows of a batch before it runs, and reads the same ones when it runs again, if
 * the source can be read again. Not thread-safe.
 */
public final class StreamingTraining {
  /** Their number. */
  static final int WEIGHTS = 4;

  private static final double RATE = 0.01;
  private static final long POLL_MILLIS = 50;

  private final double[] weights = new double[WEIGHTS];
  private final Checkpointer checkpointer;
  private final Progress progress;
  private final long last;
  private volatile long newest;

  /** Is told each step of a batch, on the query's thread. */
  @FunctionalInterface
  public interface Progress {
    /**
     * A step has been taken.
     *
     * @param step learned, sealed or skipped
     */
    void at(String step, long batch);
  }

  private StreamingTraining(Checkpointer checkpointer, long last, Progress progress) {
    this.checkpointer = checkpointer;
    this.last = last;
    this.progress = progress;
    checkpointer.protect(Region.of("weights", weights));
    newest = checkpointer.restore().map(report -> report.id().iteration()).orElse(-1L);
  }

  /**
   * Trains for ever, at one batch per second. The settings are those of {@code spark-submit}:
   * {@code spark.cairn.store.every=1} and {@code spark.cairn.cadence=fixed}, so that each batch is
   * due at STORE.
   *
   * @param words the checkpoint location of the query
   */
  public static void main(String[] words) throws TimeoutException, StreamingQueryException {
    try (SparkSession spark = SparkSession.builder().appName("streaming").getOrCreate()) {
      DataStreamWriter<Double> rows =
          rows(spark, 100)
              .writeStream()
              .option("checkpointLocation", words[0])
              .trigger(Trigger.ProcessingTime("1 second"));
      var unused =
          run(rows, Long.MAX_VALUE, (step, batch) -> System.out.println(step + " " + batch));
    }
  }

  /** A stream whose batches have the same rows each time: 0, 1, 2, and so on. */
  static Dataset<Double> rows(SparkSession spark, int ofEachBatch) {
    return spark
        .readStream()
        .format("rate-micro-batch")
        .option("rowsPerBatch", ofEachBatch)
        .option("numPartitions", 2)
        .load()
        .selectExpr("CAST(value AS DOUBLE)")
        .as(Encoders.DOUBLE());
  }

  /**
   * Trains up to a batch.
   *
   * @param last ends the training, with a checkpoint at every level
   * @return the weights at the end
   * @throws StreamingQueryException if a batch fails, or misses a predecessor
   */
  static double[] run(DataStreamWriter<Double> query, long last, Progress progress)
      throws TimeoutException, StreamingQueryException {
    try (Checkpointer checkpointer = Cairn.current().join("stream")) {
      StreamingTraining training = new StreamingTraining(checkpointer, last, progress);
      training.awaitLast(query);
      if (training.newest >= last) {
        checkpointer.end(training.newest);
      }
      return training.weights.clone();
    }
  }

  private void awaitLast(DataStreamWriter<Double> query)
      throws TimeoutException, StreamingQueryException {
    VoidFunction2<Dataset<Double>, Long> each = this::batch;
    StreamingQuery running = query.foreachBatch(each).start();
    boolean terminated = false;
    while (newest < last && !terminated) {
      terminated = running.awaitTermination(POLL_MILLIS);
    }
    running.stop();
  }

  private void batch(Dataset<Double> rows, long id) {
    if (id <= newest || newest >= last) {
      progress.at("skipped", id);
      return;
    }
    if (id > newest + 1) {
      throw new IllegalStateException(
          "batch " + id + " comes after a state that ends with batch " + newest);
    }
    learn(rows);
    progress.at("learned", id);
    requireSealed(checkpointer.checkpoint(id));
    progress.at("sealed", id);
    newest = id;
  }

  private static void requireSealed(CheckpointTicket ticket) {
    Outcome outcome = ticket.sealed(Level.STORE).join();
    if (!(outcome instanceof Outcome.Sealed)) {
      throw new IllegalStateException(ticket.id() + " is not at STORE: " + outcome);
    }
  }

  /** The sums of the partitions come in the partitions' order, so all runs add in one order. */
  private void learn(Dataset<Double> rows) {
    double[] before = weights.clone();
    MapPartitionsFunction<Double, double[]> sums =
        values -> {
          double[] sum = new double[before.length];
          values.forEachRemaining(value -> add(sum, before, value));
          return List.of(sum).iterator();
        };
    rows.mapPartitions(sums, Encoders.kryo(double[].class))
        .collectAsList()
        .forEach(sum -> descend(weights, sum));
  }

  /** Takes a step against the gradient of a partition. */
  static void descend(double[] weights, double[] sum) {
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= RATE * sum[i];
    }
  }

  /** Adds the gradient of the squared error of one row, whose features are its number's waves. */
  static void add(double[] sum, double[] weights, double value) {
    double error = -Math.sin(value);
    for (int i = 0; i < weights.length; i++) {
      error += weights[i] * Math.cos(value * (i + 1));
    }
    for (int i = 0; i < weights.length; i++) {
      sum[i] += error * Math.cos(value * (i + 1));
    }
  }
}
