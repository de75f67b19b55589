package io.cairn.lab.bench.failover;

import io.cairn.lab.bench.failover.RankEvent.What;
import io.cairn.lab.measure.RankFiles;
import io.cairn.lab.measure.Scratch;
import io.cairn.process.ChildProcess;
import io.cairn.spark.LocalCluster;
import io.cairn.spark.standby.CairnStandby;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A Spark application with ranks, in this process as the driver, and the kills of its executors.
 */
final class FailoverRun implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 600;
  private static final long POLL_NANOS = 2_000_000;

  /** Iterations of a rank before it is struck. */
  private static final int SOME = 20;

  private final FailoverPlan plan;
  private final Path directory;
  private final List<RankLog> logs;
  private final RankLog standbys;
  private final JavaSparkContext spark;
  private final CompletableFuture<List<String>> job;

  /**
   * Starts the application.
   *
   * @param scratch with the store, the node and the logs
   */
  FailoverRun(FailoverPlan plan, Scratch scratch) throws IOException {
    this.plan = plan;
    this.directory = Files.createDirectories(scratch.onDisk("logs"));
    this.standbys = new RankLog(directory, FailoverRank.STANDBYS);
    this.logs =
        IntStream.range(0, plan.ranks())
            .mapToObj(rank -> new RankLog(directory, FailoverRank.group(rank)))
            .toList();
    this.spark = new JavaSparkContext(conf(scratch));
    FailoverRank body = new FailoverRank(directory.toString(), plan.stepMillis());
    this.job = CompletableFuture.supplyAsync(() -> CairnStandby.map(spark, plan.ranks(), body));
  }

  private SparkConf conf(Scratch scratch) throws IOException {
    return LocalCluster.conf(
            scratch.onDisk("spark"),
            plan.executors(),
            512,
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
        .setAppName("cairn-bench-failover")
        .set("spark.plugins", "io.cairn.spark.CairnPlugin")
        .set("spark.cairn.job", "failover")
        .set("spark.cairn.standby", Integer.toString(plan.standbys()))
        .set("spark.cairn.store", store(scratch).toString())
        .set("spark.cairn.node.dir", scratch.inMemory("node").toString())
        .set("spark.cairn.device.dir", scratch.inMemory("device").toString())
        .set("spark.cairn.device.cacheSize", "4m")
        .set("spark.cairn.chunkSize", "256k") // several checkpoints fit
        .set("spark.cairn.node.every", "1")
        .set("spark.cairn.store.every", "500")
        .set("spark.local.dir", scratch.onDisk("local").toString())
        .set("spark.deploy.maxExecutorRetries", "-1")
        .set("spark.task.maxFailures", "100000");
  }

  /** STORE of a run. */
  static Path store(Scratch scratch) {
    return scratch.onDisk("store");
  }

  /** The newest event of a rank that trains. */
  private Optional<RankEvent> newest(int rank) {
    List<RankEvent> events = logs.get(rank).events();
    return events.isEmpty() ? Optional.empty() : Optional.of(events.get(events.size() - 1));
  }

  private Optional<RankEvent> training(int rank) {
    return newest(rank).filter(event -> event.what() == What.STEP && isAlive(event.pid()));
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Whether all standbys wait, and each rank has trained for a while. */
  boolean isReady() {
    Set<Long> busy = new HashSet<>();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      Optional<RankEvent> event = training(rank);
      if (event.isEmpty() || sinceStart(rank) < SOME) {
        return false;
      }
      busy.add(event.get().pid());
    }
    long warm =
        standbys.events().stream()
            .map(RankEvent::pid)
            .distinct()
            .filter(pid -> !busy.contains(pid) && isAlive(pid))
            .count();
    return warm >= plan.standbys();
  }

  private int sinceStart(int rank) {
    List<RankEvent> events = logs.get(rank).events();
    int last = events.size() - 1;
    while (last >= 0 && events.get(last).what() == What.STEP) {
      last--;
    }
    return events.size() - 1 - last;
  }

  /**
   * Waits until something is so.
   *
   * @throws IllegalStateException if the application ends before, or it takes too long
   */
  void await(BooleanSupplier wanted, String what) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!wanted.getAsBoolean()) {
      if (job.isDone() || System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain until " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Kills the executor of a rank that trains, and waits until the rank has gone on. */
  Failover strike(int rank) throws IOException, InterruptedException {
    await(() -> training(rank).isPresent(), "rank " + rank + " trained");
    RankEvent victim = training(rank).orElseThrow();
    long killed = System.nanoTime();
    ChildProcess.signal("KILL", victim.pid());
    List<Failover> found = new ArrayList<>();
    await(
        () -> {
          Failover.of(logs.get(rank).events(), victim, killed).ifPresent(found::add);
          return !found.isEmpty();
        },
        "rank " + rank + " went on");
    return found.get(0);
  }

  /** Ends the ranks; whether each has the digest of a training that nothing disturbed. */
  boolean endsAsUndisturbed() throws IOException, InterruptedException {
    long reached =
        IntStream.range(0, plan.ranks())
            .mapToLong(rank -> newest(rank).map(RankEvent::iteration).orElse(0L))
            .max()
            .orElse(0);
    long iterations = reached + SOME;
    new RankFiles(directory, FailoverRank.ALL).end(iterations);
    List<String> digests = digests();
    return digests.equals(
        IntStream.range(0, plan.ranks())
            .mapToObj(rank -> FailoverRank.undisturbed(rank, iterations))
            .toList());
  }

  private List<String> digests() throws InterruptedException {
    try {
      return job.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the ranks did not end", e);
    }
  }

  @Override
  public void close() {
    spark.close();
  }
}
