package io.cairn.examples.demo;

import io.cairn.Cairn;
import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.examples.digits.FoldTraining;
import io.cairn.spark.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The Spark application of the demo, in a process of its own so that it can be killed: one task per
 * fold, on real executor processes with the plugin. Started again after a kill, it resumes.
 */
final class DemoDriver {
  /**
   * Executors log as in a job of a user's: Spark's default level is info. They live for about a
   * minute and compute in native code, so better compiled Java would not earn its compilation.
   */
  private static final String EXECUTOR_OPTIONS =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.awt.headless=true -Dcairn.log=info";

  /**
   * Settings of the cadence that fit the demo: an executor and later the machine are lost within
   * two minutes, and an iteration of a small network is as short as some captures of it.
   */
  static final SortedMap<String, String> CADENCE =
      new TreeMap<>(
          Map.of(
              "device.mtbf", "5m",
              "node.mtbf", "1m",
              "peer.mtbf", "5m",
              "store.mtbf", "2m",
              "node.within", "2s",
              "store.within", "5s",
              "cadence", "adaptive:25%"));

  private DemoDriver() {}

  /**
   * Runs it.
   *
   * @param arguments run directory, job, store, seed, executors, and the directory for event logs
   *     if Spark's UI is to be open
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[3]);
    SparkConf conf =
        LocalCluster.conf(
                directory.resolve("spark"), Integer.parseInt(arguments[4]), 2048, EXECUTOR_OPTIONS)
            .setAppName("cairn-demo")
            .set("spark.plugins", "io.cairn.spark.CairnPlugin")
            .set("spark.cairn.job", arguments[1])
            .set("spark.cairn.store", arguments[2])
            .set("spark.cairn.node.dir", directory.resolve("node").toString())
            .set("spark.cairn.device.cacheSize", "64m")
            .set("spark.executorEnv.OMP_NUM_THREADS", "1")
            .set("spark.hadoop.dfs.replication", Integer.toString(HdfsProcess.REPLICATION))
            // closing a file waits this long, at first, for the DataNodes to report it
            .set("spark.hadoop.dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20")
            .set("spark.local.dir", directory.resolve("local").toString())
            // each lost executor counts against its tasks, and this job loses some
            .set("spark.task.maxFailures", "20");
    CADENCE.forEach((name, value) -> conf.set("spark.cairn." + name, value));
    boolean ui = arguments.length > 5;
    if (ui) {
      conf.set("spark.ui.enabled", "true")
          .set("spark.eventLog.enabled", "true")
          .set("spark.eventLog.dir", Path.of(arguments[5]).toUri().toString());
    }
    String events = directory.resolve("events").toString();
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      if (ui) {
        UiAddress.write(directory, spark.sc().uiWebUrl().get());
      }
      spark
          .parallelize(IntStream.range(0, FoldTraining.FOLDS).boxed().toList(), FoldTraining.FOLDS)
          .foreach(fold -> train(fold, seed, events));
    }
  }

  /** One task: one fold, from wherever its newest checkpoint is. */
  static void train(int fold, long seed, String events) throws IOException {
    FoldTraining training = new FoldTraining(fold, seed, FoldTraining.EPOCHS);
    Cairn cairn = Cairn.current();
    try (FoldLog log = new FoldLog(Path.of(events), fold)) {
      Consumer<CairnEvent> observer = new Reporter(training.group(), log);
      cairn.addObserver(observer);
      try {
        Checkpointer checkpointer = cairn.join(training.group());
        log.epoch(checkpointer.epoch());
        CadenceWatch cadence = new CadenceWatch(() -> cairn.cadence(training.group()), log);
        FoldTraining.Result result =
            training.train(
                checkpointer,
                completed -> {
                  log.step(completed);
                  cadence.look(completed);
                });
        log.done(result, bytesPerCheckpoint(cairn));
      } finally {
        cairn.removeObserver(observer);
      }
    }
  }

  private static long bytesPerCheckpoint(Cairn cairn) {
    Map<String, Long> counters = cairn.counts();
    return counters.getOrDefault("captured.bytes", 0L)
        / Math.max(1, counters.getOrDefault("captures", 0L));
  }

  private record Reporter(String group, FoldLog log) implements Consumer<CairnEvent> {
    @Override
    public void accept(CairnEvent event) {
      if (event instanceof CairnEvent.Captured captured && isOurs(captured.member())) {
        log.captured(captured.id().iteration(), captured.blockedNanos());
      } else if (event instanceof CairnEvent.Settled settled && isOurs(settled.member())) {
        settled(settled.id().iteration(), settled.level(), settled.outcome());
      } else if (event instanceof CairnEvent.Restored restored && isOurs(restored.member())) {
        log.resumed(restored.report().level(), restored.report().id().iteration());
      }
    }

    private boolean isOurs(Member member) {
      return member.group().group().equals(group);
    }

    private void settled(long iteration, Level level, Outcome outcome) {
      boolean sealed = outcome instanceof Outcome.Sealed;
      if (level == Level.DEVICE && !sealed) {
        log.notAtDevice(iteration, reason(outcome));
      } else if (level != Level.DEVICE && sealed) {
        log.sealed(level, iteration);
      }
    }

    private static String reason(Outcome outcome) {
      if (outcome instanceof Outcome.NotDue) {
        return "not due by the cadence";
      } else if (outcome instanceof Outcome.Skipped skipped) {
        return skipped.reason();
      } else if (outcome instanceof Outcome.Fenced fenced) {
        return fenced.reason();
      } else if (outcome instanceof Outcome.Failed failed) {
        return failed.reason();
      }
      throw new IllegalArgumentException("no reason in " + outcome);
    }
  }
}
