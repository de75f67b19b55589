package io.cairn.lab.soak;

import io.cairn.Level;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.spark.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;
import scala.Option;
import scala.reflect.ClassTag$;

/** One soak, in this process as the driver. */
final class SoakRun {
  private static final int LAST_ITERATIONS = 200;
  private static final long END_MINUTES = 5;

  private final Path directory;
  private final long seed;
  private final SoakCluster cluster;
  private final List<String> problems = new ArrayList<>();

  /**
   * A run.
   *
   * @param directory empty, for the logs, the store, the nodes and the devices
   */
  SoakRun(Path directory, long seed, SoakCluster cluster) {
    this.directory = directory;
    this.seed = seed;
    this.cluster = cluster;
  }

  private SparkConf conf() throws IOException {
    int ranks = cluster.groups().stream().mapToInt(SoakGroup::size).sum();
    SparkConf conf =
        LocalCluster.conf(
            directory.resolve("spark"),
            cluster.workers(),
            ranks / cluster.workers(),
            512,
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    cluster.settings(directory).forEach(conf::set);
    return conf.setAppName("cairn-soak")
        .set("spark.plugins", "io.cairn.spark.CairnPlugin")
        .set("spark.cairn.job", "soak")
        .set("spark.cairn.store", directory.resolve("store").toString())
        .set("spark.cairn.device.dir", directory.resolve("device").toString())
        .set(
            "spark.cairn.device.cacheSize",
            Integer.toString(SoakGroup.CACHE_SLOTS * SoakGroup.CHUNK_BYTES))
        .set("spark.cairn.chunkSize", Integer.toString(SoakGroup.CHUNK_BYTES))
        .set("spark.cairn.node.every", "5")
        .set("spark.cairn.closeTimeout", "5s")
        .set("spark.local.dir", directory.resolve("local").toString())
        // executors are lost all the time, which ends neither the application nor a job
        .set("spark.deploy.maxExecutorRetries", "-1")
        .set("spark.task.maxFailures", "100000")
        .set("spark.stage.maxConsecutiveAttempts", "100000");
  }

  /**
   * Runs it.
   *
   * @param events how many blows
   * @param minutes after which there are no more
   * @param report receives blows, restores and problems
   * @param progress receives the number of blows after each
   */
  void run(int events, double minutes, BenchReport report, IntConsumer progress)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    long end = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
    SoakBlows blows;
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      List<CompletableFuture<Void>> jobs =
          cluster.groups().stream().map(group -> job(spark, group)).toList();
      blows =
          cluster.blows(
              directory,
              seed,
              id -> retire(spark, id),
              () -> jobs.stream().anyMatch(CompletableFuture::isDone));
      while (blows.struck() < events && problems.isEmpty()) {
        if (System.nanoTime() > end || jobs.stream().anyMatch(CompletableFuture::isDone)) {
          break;
        }
        int before = blows.struck();
        blows.strike().ifPresent(problems::add);
        if (blows.struck() > before) {
          progress.accept(blows.struck());
        }
      }
      finish(jobs);
    }
    judge(blows, report);
  }

  private static void retire(JavaSparkContext spark, String executor) {
    CoarseGrainedSchedulerBackend backend =
        (CoarseGrainedSchedulerBackend) spark.sc().schedulerBackend();
    backend.decommissionExecutor(
        executor, new ExecutorDecommissionInfo("soak", Option.empty()), false, false);
  }

  private CompletableFuture<Void> job(JavaSparkContext spark, SoakGroup group) {
    String logs = directory.toString();
    List<Integer> ranks = IntStream.range(0, group.size()).boxed().toList();
    if (group.size() == 1) {
      return CompletableFuture.runAsync(
          () ->
              spark.parallelize(ranks, 1).foreach(rank -> new SoakRank(logs, group, rank).train()));
    }
    return CompletableFuture.runAsync(
        () ->
            spark
                .parallelize(ranks, group.size())
                .rdd()
                .barrier()
                .mapPartitions(
                    new SoakBarrier(logs, group),
                    false,
                    ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD()
                // the last stage of a job is not tried again if it is a barrier
                .repartition(1)
                .collect());
  }

  /** Lets the ranks train on a little, undisturbed, and end. */
  private void finish(List<CompletableFuture<Void>> jobs) throws IOException, InterruptedException {
    for (SoakGroup group : cluster.groups()) {
      SoakLog log = new SoakLog(directory, group.name());
      long newest = log.events().stream().mapToLong(SoakEvent::iteration).max().orElse(0);
      log.files().end(newest + LAST_ITERATIONS);
    }
    try {
      CompletableFuture.allOf(jobs.toArray(CompletableFuture<?>[]::new))
          .get(END_MINUTES, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      problems.add("the jobs did not end within " + END_MINUTES + " minutes");
    } catch (ExecutionException e) {
      problems.add("a job failed: " + e.getCause());
    }
  }

  private void judge(SoakBlows blows, BenchReport report) {
    FigureTable struck = report.table("blows, with seed %d", seed);
    new TreeMap<>(blows.counts())
        .forEach((what, count) -> struck.row().add("blow", what.name()).add("times", count));
    FigureTable restores = report.table("ranks that resumed: after which blow, from which level");
    int borrowed = 0;
    for (SoakGroup group : cluster.groups()) {
      SoakJudge judge = SoakJudge.of(group, new SoakLog(directory, group.name()).events());
      problems.addAll(judge.problems());
      for (Map.Entry<String, Integer> source : new TreeMap<>(judge.sources()).entrySet()) {
        restores
            .row()
            .add("group", group.name())
            .add("from", source.getKey())
            .add("times", source.getValue());
        boolean device = source.getKey().endsWith(": " + Level.DEVICE);
        borrowed += device && group.borrows() ? source.getValue() : 0;
      }
    }
    report.note("from DEVICE with others' memory: %d times", borrowed);
    report.note("logs, store and node: " + directory);
    FigureTable failed = report.table("what must not have happened");
    problems.forEach(problem -> failed.row().add("problem", problem));
    report.holds("ranks always resumed from the newest that was left", problems.isEmpty());
  }
}
