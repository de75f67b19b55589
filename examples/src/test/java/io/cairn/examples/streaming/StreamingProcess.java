package io.cairn.examples.streaming;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.SparkSession;

/**
 * A driver in a process of its own, in local mode. It prints each step of a batch, waits for ever
 * at one of them, and prints the weights at the end.
 */
final class StreamingProcess {
  static final String WEIGHTS = "weights ";
  static final long LAST = 5;
  static final int ROWS = 100;

  private StreamingProcess() {}

  /** Takes a directory for the stream's notes, one for Cairn, and a step such as "learned 3". */
  public static void main(String[] words) throws Exception {
    Path stream = Path.of(words[0]);
    Path cairn = Path.of(words[1]);
    try (SparkSession spark = session(cairn)) {
      var query =
          StreamingTraining.rows(spark, ROWS)
              .writeStream()
              .option("checkpointLocation", stream.toString());
      double[] weights =
          StreamingTraining.run(query, LAST, (step, batch) -> say(step + " " + batch, words[2]));
      System.out.println(WEIGHTS + Arrays.toString(weights));
    }
  }

  private static SparkSession session(Path cairn) {
    return SparkSession.builder()
        .master("local[2]")
        .appName("streaming")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", cairn.resolve("local").toString())
        .config("spark.sql.warehouse.dir", cairn.resolve("warehouse").toString())
        .config("spark.plugins", "io.cairn.spark.CairnPlugin")
        .config("spark.cairn.job", "streaming")
        .config("spark.cairn.store", cairn.resolve("store").toString())
        .config("spark.cairn.node.dir", cairn.resolve("node").toString())
        .config("spark.cairn.device.cacheSize", "8m")
        .config("spark.cairn.cadence", "fixed")
        .config("spark.cairn.store.every", "1")
        .getOrCreate();
  }

  private static void say(String step, String waitsAt) {
    System.out.println(step);
    System.out.flush();
    if (step.equals(waitsAt)) {
      try {
        var unused = System.in.read();
      } catch (IOException e) {
        throw new UncheckedIOException("the step " + step, e);
      }
    }
  }
}
