package io.cairn.lab.toy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** A job that does not use Cairn: leaves its sum, and how many executors it lost. */
public final class ToyBystander {
  private static final int TASKS = 40;

  /** In which an executor that cannot live ends, and another begins. */
  private static final long TASK_NANOS = 500_000_000;

  private ToyBystander() {}

  /**
   * Runs the job, for some ten seconds on two executors.
   *
   * @param words directory that all machines see, and more, which is ignored
   * @throws IOException if the result cannot be written
   */
  public static void main(String[] words) throws IOException {
    AtomicInteger lost = new AtomicInteger();
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("bystander"))) {
      spark.sc().addSparkListener(new Losses(lost));
      List<Integer> numbers = IntStream.rangeClosed(1, TASKS).boxed().toList();
      int sum = spark.parallelize(numbers, TASKS).map(ToyBystander::slowly).reduce(Integer::sum);
      ToyApplication.write(Path.of(words[0]), lines(sum, lost.get()));
    }
  }

  private static int slowly(int number) {
    LockSupport.parkNanos(TASK_NANOS);
    return number;
  }

  private static List<String> lines(int sum, int lost) {
    return List.of("sum " + sum, "lost executors " + lost);
  }

  /** The result of a job that lost no executor. */
  public static List<String> undisturbed() {
    return lines(TASKS * (TASKS + 1) / 2, 0);
  }

  /** Counts executors that ended during the job. */
  private static final class Losses extends SparkListener {
    private final AtomicInteger lost;

    Losses(AtomicInteger lost) {
      this.lost = lost;
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
      lost.incrementAndGet();
    }
  }
}
