package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the Hadoop configuration reach the store of each command. */
class HadoopOptionTest {
  /** Nobody serves there; the client reads its keys before it asks. */
  private static final String HDFS = "hdfs://localhost:1/cairn";

  @TempDir Path directory;

  private CommandRun run(String command, String... keys) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.replaceAll(word -> word.replace("HDFS", HDFS).replace("LOCAL", directory.toString()));
    for (String key : keys) {
      words.addAll(List.of("--hadoop", key));
    }
    return CommandRun.of(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list HDFS",
        "goodput HDFS",
        "verify HDFS",
        "inspect HDFS",
        "inspect HDFS/job/group/e000001-i0000000001/manifest",
        "diff HDFS e1-i1 e1-i2",
        "copy HDFS LOCAL/new",
        "copy LOCAL HDFS",
        "prune HDFS --keep-last 1",
        "prune HDFS --keep-last 1 --yes",
        "explain HDFS",
        "gc HDFS --job job --device LOCAL --node LOCAL",
        "gc HDFS --job job --device LOCAL --node LOCAL --delete"
      })
  void aCommandOpensItsStoreWithThem(String command) {
    CommandRun run = run(command, "dfs.client.cached.conn.retry=3", "dfs.replication=two");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err())
        .contains("cannot use store " + HDFS, "store.hadoop.dfs.replication = two");
  }

  @Test
  void aDirectoryHasNoUseForThem() {
    for (String command :
        List.of("list LOCAL", "copy LOCAL LOCAL/../other", "prune LOCAL --keep-last 1")) {
      CommandRun run = run(command, "dfs.replication=2");

      assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
      assertThat(run.err()).contains("has no use for store.hadoop.dfs.replication");
    }
  }

  @Test
  void withoutAStoreTheyAreOfNoUse() {
    CommandRun run = run("gc --device LOCAL --node LOCAL", "dfs.replication=2");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("--hadoop is of use with STORE alone");
  }
}
