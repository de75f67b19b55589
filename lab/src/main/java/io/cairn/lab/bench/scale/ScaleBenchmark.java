package io.cairn.lab.bench.scale;

import io.cairn.GroupId;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** Runs a driver in a process of its own, and the ranks of one group in this one. */
final class ScaleBenchmark {
  private static final GroupId GROUP = new GroupId("bench", "scale");
  private static final long PATIENCE_SECONDS = 120;

  /** The ranks' requests are held for 5 s, so a few of them are seen. */
  private static final int IDLE_SECONDS = 11;

  private final Path directory;
  private final FigureTable groups;
  private final FigureTable drivers;

  /** Uses an empty directory. */
  ScaleBenchmark(Path directory, BenchReport report) {
    this.directory = directory;
    groups =
        report.table(
            "the group: begin, from the first join until every rank has resumed; settle, from the"
                + " capture of an iteration by all ranks to its seal at one");
    drivers =
        report.table(
            "the driver's process, while the group trains, and while its ranks are connected and"
                + " capture nothing; threads and heap at the end of that");
  }

  /**
   * Measures one group.
   *
   * @throws IOException if the driver fails, or a rank is refused
   */
  void run(ScalePlan plan) throws IOException, InterruptedException {
    Path root = directory.resolve("store-" + plan.ranksPerExecutor());
    Origin origin = origin(root);
    try (ChildProcess driver = Command.java(ScaleDriver.class, root).options("-Xmx1g").start()) {
      int port = Integer.parseInt(driver.await("port ").strip());
      run(plan, origin, new PeerAddress("127.0.0.1", port), driver);
    }
  }

  private static Origin origin(Path root) throws IOException {
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      return new Origin(GroupBirth.of(store, GROUP), 0);
    }
  }

  private void run(ScalePlan plan, Origin origin, PeerAddress address, ChildProcess driver)
      throws IOException, InterruptedException {
    Counting counting = new Counting(plan);
    List<SimulatedExecutor> executors = new ArrayList<>();
    try {
      for (int number = 0; number < plan.executors(); number++) {
        executors.add(new SimulatedExecutor("executor-" + number, address));
      }
      double beginMillis = join(plan, origin, executors, counting);
      Meter idle = new Meter(driver);
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      idle.read(row(drivers, plan).add("while", "idle"));
      Meter training = new Meter(driver);
      train(plan, executors, counting);
      counting.awaitLast();
      training.read(row(drivers, plan).add("while", "training"));
      row(groups, plan)
          .add("begin ms", beginMillis)
          .add("captured", plan.iterations())
          .add("settled", counting.settled())
          .quantiles("settle", counting.millis());
    } finally {
      executors.forEach(SimulatedExecutor::close);
    }
  }

  private static FigureTable.Row row(FigureTable table, ScalePlan plan) {
    return table.row().add("ranks", plan.ranks()).add("per executor", plan.ranksPerExecutor());
  }

  private static double join(
      ScalePlan plan, Origin origin, List<SimulatedExecutor> executors, Counting counting)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    for (int number = 0; number < executors.size(); number++) {
      int first = number * plan.ranksPerExecutor();
      int count = Math.min(plan.ranksPerExecutor(), plan.ranks() - first);
      executors.get(number).join(GROUP, plan.ranks(), first, count, origin, counting);
    }
    counting.awaitResumed();
    return (System.nanoTime() - begin) / 1e6;
  }

  /** Captures on time, whether the driver keeps up or not. */
  private static void train(ScalePlan plan, List<SimulatedExecutor> executors, Counting counting)
      throws InterruptedException {
    long periodNanos = TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
    long begin = System.nanoTime();
    for (int iteration = 0; iteration < plan.iterations(); iteration++) {
      long wait = begin + iteration * periodNanos - System.nanoTime();
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
      for (SimulatedExecutor executor : executors) {
        executor.captured(iteration);
      }
      counting.captured(iteration);
    }
  }

  /** Counts the messages that the ranks received. Thread-safe. */
  private static final class Counting implements SimulatedExecutor.Listener {
    private final ScalePlan plan;
    private final CountDownLatch resumed;
    private final CountDownLatch received;
    private final AtomicLongArray capturedNanos;
    private final AtomicLongArray settledRanks;
    private final Samples samples = new Samples();
    private volatile String failure = "";

    Counting(ScalePlan plan) {
      this.plan = plan;
      this.resumed = new CountDownLatch(plan.ranks());
      this.received = new CountDownLatch(plan.ranks() * plan.iterations());
      this.capturedNanos = new AtomicLongArray(plan.iterations());
      this.settledRanks = new AtomicLongArray(plan.iterations());
    }

    /** Every rank has sent its report. */
    void captured(int iteration) {
      capturedNanos.set(iteration, System.nanoTime());
    }

    @Override
    public void resumed() {
      resumed.countDown();
    }

    @Override
    public void settled(long iteration) {
      int number = (int) iteration;
      long sent = capturedNanos.get(number);
      settledRanks.incrementAndGet(number);
      synchronized (samples) {
        samples.add(sent == 0 ? 0 : Math.max(0, System.nanoTime() - sent));
      }
      received.countDown();
    }

    @Override
    public void failed(String reason) {
      failure = reason;
    }

    void awaitResumed() throws IOException, InterruptedException {
      boolean all = resumed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      require(all, resumed.getCount() + " ranks did not resume");
    }

    /** Waits until nothing more arrives, or all has. */
    void awaitLast() throws IOException, InterruptedException {
      long before = -1;
      boolean all = false;
      while (!all && received.getCount() != before) {
        before = received.getCount();
        all = received.await(5, TimeUnit.SECONDS);
      }
      require(true, ""); // a failure is reported
    }

    private void require(boolean holds, String otherwise) throws IOException {
      if (!holds || !failure.isEmpty()) {
        throw new IOException(failure.isEmpty() ? otherwise : "a rank received " + failure);
      }
    }

    /** Iterations that every rank knows as sealed. */
    int settled() {
      int all = 0;
      for (int iteration = 0; iteration < plan.iterations(); iteration++) {
        all += settledRanks.get(iteration) == plan.ranks() ? 1 : 0;
      }
      return all;
    }

    Samples.Quantiles millis() {
      synchronized (samples) {
        return samples.millis();
      }
    }
  }

  /** The usage of the driver from its making to its reading. */
  private static final class Meter {
    private final ChildProcess driver;
    private final long[] before;
    private final long begin;

    Meter(ChildProcess driver) throws IOException {
      this.driver = driver;
      this.before = ask();
      this.begin = System.nanoTime();
    }

    private long[] ask() throws IOException {
      driver.send("usage");
      String usage = driver.await("usage ").strip();
      return Arrays.stream(usage.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    void read(FigureTable.Row row) throws IOException {
      double seconds = (System.nanoTime() - begin) / 1e9;
      long[] after = ask();
      row.add("requests/s", (after[0] - before[0]) / seconds)
          .add("kB/s", (after[1] - before[1]) / 1e3 / seconds)
          .add("processors", (after[2] - before[2]) / 1e9 / seconds)
          .add("threads", after[3])
          .add("heap MiB", after[4] / (double) (1 << 20));
    }
  }
}
