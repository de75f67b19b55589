package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.flush.store.HdfsDaemon;
import io.cairn.flush.store.SeparateHdfs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A training, a DataNode and the NameNode of its HDFS are killed at seeded moments, in the middle
 * of writes, and started again. Another process restores what was reported sealed at STORE, bit for
 * bit. A training outlives the death of a node of its store, and seals there again. A training that
 * is killed leaves files open and loses its machine; the next one goes on from STORE.
 */
class HdfsKillTest {
  private static final long SEED = 61;
  private static final int DATA_NODES = 3;
  private static final int MOST_SEALS = 8;
  private static final int LONGEST_PAUSE_MILLIS = 60;

  @TempDir private Path directory = Path.of("");

  private final Random random = new Random(SEED);

  private enum Victim {
    DATA_NODE,
    NAME_NODE
  }

  @Test
  @Timeout(300)
  void fourKills() throws Exception {
    kill(2, 1);
  }

  @Test
  @Tag("proof")
  void sixtySixKills() throws Exception {
    HdfsJudge judge = kill(22, 2);
    assertThat(judge.unfinished()).as("%s: some died in mid-checkpoint", judge).isPositive();
  }

  /** Kills so many trainings, each after so many nodes of its store. */
  private HdfsJudge kill(int trainings, int nodesEach) throws Exception {
    Iterator<Victim> victims = victims(trainings * nodesEach).iterator();
    try (SeparateHdfs hdfs = SeparateHdfs.start(directory.resolve("hdfs"), DATA_NODES)) {
      URI store = URI.create(hdfs.uri() + "/store");
      HdfsJudge judge = new HdfsJudge(store);
      for (int i = 0; i < trainings; i++) {
        String when = "seed " + SEED + ", training " + i;
        try (HdfsLife life = HdfsLife.begin(directory.resolve("machine-" + i), judge, when)) {
          for (int node = 0; node < nodesEach; node++) {
            live(life);
            kill(victims.next(), hdfs, life, judge);
          }
          live(life);
          life.kill();
        }
        judge.judge(when);
      }
      return judge;
    }
  }

  /** As many of each kind, in a seeded order. */
  private List<Victim> victims(int number) {
    List<Victim> victims = new ArrayList<>(Collections.nCopies(number / 2, Victim.DATA_NODE));
    victims.addAll(Collections.nCopies(number - number / 2, Victim.NAME_NODE));
    Collections.shuffle(victims, random);
    return victims;
  }

  private void live(HdfsLife life) throws IOException, InterruptedException {
    life.live(random.nextInt(MOST_SEALS), random.nextInt(LONGEST_PAUSE_MILLIS));
  }

  /** With two copies of each block, no checkpoint fails for the death of one DataNode. */
  private void kill(Victim victim, SeparateHdfs hdfs, HdfsLife life, HdfsJudge judge)
      throws IOException, InterruptedException {
    int notSealed = judge.notSealed();
    switch (victim) {
      case DATA_NODE -> {
        restart(hdfs.dataNodes().get(random.nextInt(DATA_NODES)), life);
        assertThat(judge.notSealed()).as("%s: not sealed", judge).isEqualTo(notSealed);
      }
      case NAME_NODE -> restart(hdfs.nameNode(), life);
    }
  }

  private static void restart(HdfsDaemon node, HdfsLife life)
      throws IOException, InterruptedException {
    node.kill();
    node.start();
    node.awaitUp();
    life.judgeMeanwhile();
    life.requireSealsOn();
  }
}
