package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One life of a {@link HdfsTraining}, whose reports go to a judge. Used by one thread. */
final class HdfsLife implements AutoCloseable {
  private static final int HEAP_MEBIBYTES = 192;

  private final ChildProcess training;
  private final HdfsJudge judge;
  private final String when;

  private HdfsLife(ChildProcess training, HdfsJudge judge, String when) {
    this.training = training;
    this.judge = judge;
    this.when = when;
  }

  /**
   * Starts a training over the judge's store. It resumes from no older checkpoint than was
   * reported.
   */
  static HdfsLife begin(Path root, HdfsJudge judge, String when) throws IOException {
    HdfsLife life =
        new HdfsLife(
            Command.java(HdfsTraining.class, root, judge.store())
                .small(HEAP_MEBIBYTES)
                .errorsTo(root.resolveSibling(root.getFileName() + ".log"))
                .start(),
            judge,
            when);
    try {
      assertThat(Long.parseLong(life.training.await("FROM ")))
          .as("%s: resumes from no older checkpoint than was reported", when)
          .isGreaterThanOrEqualTo(judge.newestSealed());
      return life;
    } catch (IOException | AssertionError e) {
      life.close();
      throw e;
    }
  }

  /** Waits for so many seals, and then for some milliseconds more. */
  void live(int seals, int millis) throws IOException, InterruptedException {
    for (int i = 0; i < seals; i++) {
      judge.noteSealed(awaitNoting("STORE "));
    }
    assertThat(training.waitFor(Duration.ofMillis(millis))).as(when).isFalse();
  }

  /** Waits until it has sealed a checkpoint that it has not begun yet. */
  void requireSealsOn() throws IOException, InterruptedException {
    training.send("where?");
    long begun = Long.parseLong(awaitNoting("AT "));
    while (judge.newestSealed() <= begun) {
      judge.noteSealed(awaitNoting("STORE "));
    }
    assertThat(training.isAlive()).as(when).isTrue();
  }

  /** The rest of the next line of a kind; notes the seals before it. */
  private String awaitNoting(String prefix) throws IOException, InterruptedException {
    while (true) {
      String line =
          training
              .line(ChildProcess.PATIENCE)
              .orElseThrow(() -> training.failure("reports nothing more, " + when));
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
      note(line);
    }
  }

  private void note(String line) {
    List<String> words = List.of(line.split(" ", 2));
    if (words.get(0).equals("STORE")) {
      judge.noteSealed(words.get(1));
    } else if (words.get(0).equals("NOT")) {
      judge.noteNotSealed();
    }
  }

  /** Kills it, and notes its last reports. */
  void kill() throws IOException, InterruptedException {
    training.kill();
    training.rest().forEach(this::note);
  }

  /** Judges the store while the training stands still. */
  void judgeMeanwhile() throws IOException, InterruptedException {
    training.stop();
    judge.judge(when);
    training.resume();
  }

  @Override
  public void close() {
    training.close();
  }
}
