package io.cairn.lab.bench.collaborative;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes that speak for all ranks of a group, in the order of their ranks. One thread. */
final class RankProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<Child> all = new ArrayList<>();

  private RankProcesses() {}

  /**
   * Starts as many as are wanted, each for as many ranks as the others or one more.
   *
   * @param elsewhere as {@link RankProcess#start}
   */
  static RankProcesses start(Ranks ranks, int processes, int port, boolean elsewhere)
      throws IOException {
    RankProcesses started = new RankProcesses();
    try {
      for (int i = 0; i < processes; i++) {
        int first = i * ranks.size() / processes;
        int next = (i + 1) * ranks.size() / processes;
        started.all.add(RankProcess.start(ranks, port, first, next - first, elsewhere));
      }
      return started;
    } catch (IOException e) {
      started.close();
      throw e;
    }
  }

  /** One process after the other, so that the desk knows holders in the order of ranks. */
  void register() throws IOException {
    for (Child child : all) {
      child.send("register");
      child.await(PATIENCE);
    }
  }

  /** All ranks that have not reported yet do, at once, but the {@code without} last. */
  void report(long iteration, int without) throws IOException {
    int left = without;
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).send("report", iteration, left);
      left = 0;
    }
    for (Child child : all) {
      child.await(PATIENCE);
    }
  }

  void awaitAnswers() throws IOException {
    for (Child child : all) {
      child.send("await");
    }
    for (Child child : all) {
      child.await(PATIENCE);
    }
  }

  /** Nanoseconds of every round trip of every process. */
  List<Long> rounds(long firstIteration, int rounds) throws IOException {
    for (Child child : all) {
      child.send("rounds", firstIteration, rounds);
    }
    List<Long> nanos = new ArrayList<>();
    for (Child child : all) {
      for (String one : child.await(PATIENCE).split(" ", -1)) {
        nanos.add(Long.parseLong(one));
      }
    }
    return nanos;
  }

  @Override
  public void close() throws IOException {
    for (Child child : all) {
      child.close();
    }
  }
}
