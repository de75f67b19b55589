package io.cairn.lab.bench.failover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.cli.Main;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/**
 * Kills executors of applications that it starts.
 *
 * @param seed of the moments and victims
 * @param progress receives a line per kill
 */
record FailoverBenchmark(long seed, Consumer<String> progress) {
  private static final int LONGEST_PAUSE_MILLIS = 500;

  /** The kills of one application, and whether its digests were right. */
  record Found(Kills kills, boolean identical) {}

  /** Kills one executor after the other, each when all standbys wait. */
  Found kill(FailoverPlan plan, int kills) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    Kills found = new Kills();
    try (Scratch scratch = Scratch.create();
        FailoverRun run = new FailoverRun(plan, scratch)) {
      while (found.count() < kills) {
        run.await(run::isReady, "all ranks trained and all standbys waited");
        pause(random.nextInt(LONGEST_PAUSE_MILLIS));
        strike(run, random.nextInt(plan.ranks()), found);
      }
      return new Found(found, run.endsAsUndisturbed());
    }
  }

  private void strike(FailoverRun run, int rank, Kills found)
      throws IOException, InterruptedException {
    Failover recovery = run.strike(rank);
    found.add(recovery);
    progress.accept(
        String.format(
            Locale.ROOT,
            "kill %d: rank %d goes on after %d ms, joined after %d ms, lost %d iterations",
            found.count(),
            rank,
            recovery.nanos() / 1_000_000,
            recovery.joinNanos() / 1_000_000,
            recovery.lostIterations()));
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
    }
  }

  /** The kills of a soak, whether its digests were right, and the account of its time. */
  record Soaked(Found found, JsonNode groups) {
    /** The part of the time that counts, of the ranks alone. */
    double ettr() {
      return StreamSupport.stream(groups.spliterator(), false)
          .mapToDouble(group -> group.at("/all/ettr").asDouble())
          .average()
          .orElse(0);
    }
  }

  /** Kills at moments of a Poisson process, whether the standbys wait or not. */
  Soaked soak(FailoverPlan plan, double minutes, double mtbfSeconds)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    Kills found = new Kills();
    try (Scratch scratch = Scratch.create()) {
      boolean identical;
      try (FailoverRun run = new FailoverRun(plan, scratch)) {
        run.await(run::isReady, "all ranks trained and all standbys waited");
        long end = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        long next = System.nanoTime() + wait(random, mtbfSeconds);
        while (next < end) {
          pause((next - System.nanoTime()) / 1_000_000);
          strike(run, random.nextInt(plan.ranks()), found);
          next += wait(random, mtbfSeconds);
        }
        pause((end - System.nanoTime()) / 1_000_000);
        identical = run.endsAsUndisturbed();
      }
      return new Soaked(new Found(found, identical), goodput(FailoverRun.store(scratch)));
    }
  }

  private static long wait(SplittableRandom random, double meanSeconds) {
    return (long) (-Math.log(1 - random.nextDouble()) * meanSeconds * 1e9);
  }

  /**
   * The account of the ranks by {@code cairn goodput}; the trainings that warm standbys do not
   * count.
   */
  private static JsonNode goodput(Path store) throws IOException {
    StringWriter text = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(text))
            .execute("goodput", store.toString(), "--json");
    if (code != ExitCodes.GOOD) {
      throw new IOException("cairn goodput ended with " + code + ": " + text);
    }
    ArrayNode ranks = JsonNodeFactory.instance.arrayNode();
    for (JsonNode group : Json.tree(text.toString()).get("groups")) {
      if (group.get("group").asText().startsWith(FailoverRank.PREFIX)) {
        ranks.add(group);
      }
    }
    return ranks;
  }
}
