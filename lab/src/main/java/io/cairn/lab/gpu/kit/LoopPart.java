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
  private static final String KILLED_AFTER = "iteration 5 ";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    String expected;
    try (ChildProcess alone = start("alone", options)) {
      expected = alone.await("digest ", PATIENCE);
    }
    findings.say("undisturbed " + summary(expected));
    try (ChildProcess first = start("cairn", options)) {
      findings.say("killed after " + KILLED_AFTER + first.await(KILLED_AFTER, PATIENCE));
      first.kill();
    }
    try (ChildProcess second = start("cairn", options)) {
      String resumed = second.await("resumed ", PATIENCE);
      findings.answer("resumed from", "", resumed);
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
