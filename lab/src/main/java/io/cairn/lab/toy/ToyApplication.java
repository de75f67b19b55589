package io.cairn.lab.toy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.reflect.ClassTag$;

/** Trains a coupled group in a barrier stage, and leaves the digests of its ranks in a file. */
public final class ToyApplication {
  /** Name of the file with a line per rank: its number and its digest. */
  public static final String RESULT = "result";

  private ToyApplication() {}

  /**
   * Runs the application.
   *
   * @param words directory that all machines see, ranks, iterations
   * @throws IOException if the result cannot be written
   */
  public static void main(String[] words) throws IOException {
    Path directory = Path.of(words[0]);
    int ranks = Integer.parseInt(words[1]);
    long iterations = Long.parseLong(words[2]);
    String pid = Long.toString(ProcessHandle.current().pid());
    Files.writeString(directory.resolve("driver"), pid);
    try (JavaSparkContext spark = new JavaSparkContext(settings())) {
      write(directory, train(spark, directory.toString(), ranks, iterations));
    }
  }

  /**
   * A standalone worker gives a driver the cluster's secret in the environment alone, where Spark
   * does not look for it.
   */
  private static SparkConf settings() {
    SparkConf settings = new SparkConf().setAppName("toy");
    String secret = System.getenv("_SPARK_AUTH_SECRET");
    return secret == null ? settings : settings.setIfMissing("spark.authenticate.secret", secret);
  }

  private static List<String> train(
      JavaSparkContext spark, String directory, int ranks, long iterations) {
    return spark
        .parallelize(IntStream.range(0, ranks).boxed().toList(), ranks)
        .rdd()
        .barrier()
        .mapPartitions(
            new ToyBarrier(directory, ranks, iterations),
            false,
            ClassTag$.MODULE$.<String>apply(String.class))
        .toJavaRDD()
        // the last stage of a job is not tried again if it is a barrier
        .repartition(1)
        .collect()
        .stream()
        .sorted()
        .toList();
  }

  /** Leaves a result in one step. */
  static void write(Path directory, List<String> lines) throws IOException {
    Path written = Files.write(directory.resolve(RESULT + ".part"), lines);
    Files.move(written, directory.resolve(RESULT), StandardCopyOption.ATOMIC_MOVE);
  }
}
