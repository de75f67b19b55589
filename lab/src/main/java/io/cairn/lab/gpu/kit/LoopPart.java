package io.cairn.lab.gpu.kit;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A training on the GPU under Cairn: captures, flushes to NODE and STORE, a kill with SIGKILL, a
 * restore by a new process, and at the end the state of a training that nothing disturbed.
 */
final class LoopPart implements KitPart.Program {
  private static final int KILLED_AFTER = 5;

  /** STORE has every second one, and NODE all. */
  private static final int OLDEST_RESUMED = KILLED_AFTER - 1;

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    String expected;
    try (ChildProcess alone = start("alone", options)) {
      expected = alone.await("digest ", PATIENCE);
    }
    findings.say("undisturbed " + summary(expected));
    try (ChildProcess first = start("cairn", options)) {
      String last = "iteration " + KILLED_AFTER + " ";
      findings.say("killed after " + last + first.await(last, PATIENCE));
      first.kill();
    }
    try (ChildProcess second = start("cairn", options)) {
      String resumed = second.await("resumed ", PATIENCE);
      findings.answer("resumed from", "", resumed);
      if (Integer.parseInt(resumed.split(" ", 2)[0]) < OLDEST_RESUMED) {
        throw new IOException(
            "killed after iteration %s, the training resumed from %s, not from %s or later"
                .formatted(KILLED_AFTER, resumed, OLDEST_RESUMED));
      }
      String digest = second.await("digest ", PATIENCE);
      if (!digest.equals(expected)) {
        throw new IOException(
            "resumed from %s, the state differs from that of an undisturbed training: %s, not %s"
                .formatted(resumed, summary(digest), summary(expected)));
      }
    }
    findings.figure("state", LoopTraining.bytes(options) / (double) (1 << 20), "MiB");
  }

  private static String summary(String digest) {
    return digest.substring(0, Math.min(64, digest.length()));
  }

  private static ChildProcess start(String how, KitOptions options) throws IOException {
    List<String> words = new ArrayList<>(List.of(how));
    words.addAll(options.words(options.scratch()));
    return Command.java(LoopTraining.class, words.toArray())
        .options("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + options.scratch())
        .withErrorsInOutput()
        .start();
  }
}
