package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.flush.store.EmbeddedHdfs;
import io.cairn.flush.store.NameNodeCalls;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of the NameNode by a group: its commits, and its restart on other machines. The formulas
 * are those of {@code docs/OPERATIONS.md}.
 */
@Timeout(900)
class NameNodeLoadTest {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeLoadTest.class);
  private static final int KEEP = 2;

  @TempDir Path root;

  private final URI hdfs = EmbeddedHdfs.freshRoot();

  /** The calls of one commit in a group that has committed often. */
  private Map<String, Long> commit(int ranks, int perExecutor) throws Exception {
    try (HdfsExecutors executors = new HdfsExecutors(hdfs, ranks, perExecutor)) {
      executors.start(root.resolve("first"), hdfs);
      executors.restore();
      executors.train(0, 8);
      NameNodeCalls calls = new NameNodeCalls();
      executors.train(9, 12);
      return calls.since();
    }
  }

  /** The calls of a restart in which nobody has a copy nearer than STORE. */
  private Map<String, Long> restart(int ranks, int perExecutor) throws Exception {
    try (HdfsExecutors executors = new HdfsExecutors(hdfs, ranks, perExecutor)) {
      NameNodeCalls calls = new NameNodeCalls();
      executors.start(root.resolve("second"), hdfs);
      assertThat(executors.restore()).containsOnly(Level.STORE);
      return calls.since();
    }
  }

  /**
   * All calls, but those that depend on time: by which a client asks again whether the blocks of
   * its file arrived, and by which ranks of one executor ask together for the defaults.
   */
  private static long sum(Map<String, Long> calls) {
    long all = calls.values().stream().mapToLong(Long::longValue).sum();
    return all - of(calls, "Complete") + of(calls, "Create") - of(calls, "GetServerDefaults");
  }

  private static long of(Map<String, Long> calls, String name) {
    return calls.getOrDefault(name, 0L);
  }

  /**
   * Each executor that finds no directory for the first container asks for the root and makes it.
   */
  private static long withoutDirectories(Map<String, Long> commit) {
    return sum(commit) - 3 * of(commit, "Mkdirs");
  }

  @Test
  void aCommitAndARestartMakeTheCallsOfTheFormulas() throws Exception {
    int ranks = 6;

    Map<String, Long> commit = commit(ranks, 3);
    Map<String, Long> restart = restart(ranks, 3);

    assertThat(withoutDirectories(commit)).as("%s", commit).isEqualTo(4 * ranks + 28 + KEEP);
    assertThat(sum(restart)).as("%s", restart).isEqualTo(2 * ranks + 2 * 2 + 20 + 2 * KEEP);
  }

  @Test
  @Tag("proof")
  void aThousandRanksRestartWithFewCalls() throws Exception {
    int ranks = Integer.getInteger("cairn.ranks", 1_000);

    Map<String, Long> commit = commit(ranks, 8);
    Map<String, Long> restart = restart(ranks, 8);

    LOG.info("commit of {} ranks: {}, in all {}", ranks, commit, sum(commit));
    LOG.info("restart of {} ranks: {}, in all {}", ranks, restart, sum(restart));
    assertThat(restart.values().stream().mapToLong(Long::longValue).sum()).isLessThan(10_000);
  }
}
