package io.cairn.lab.gpu.kit;

import io.cairn.cli.LocalTree;
import io.cairn.lab.measure.Bar;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A training with libtorch under Cairn: undisturbed, killed and resumed with the same bits, and
 * measured beside what a training in Python does.
 *
 * @param shim the compiled shim; empty for the stable C functions
 * @param batch of every process, or their states would differ
 */
record TorchTrial(KitOptions options, Findings findings, Libtorch torch, String shim, long batch) {
  /** Long enough for a process of the trial. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String AWAITED = "iteration 3 ";
  private static final int KILLED = 137;
  private static final String RIVALS = "rivals.py";
  private static final double STALL_PERCENT = 0.5;
  private static final double OVERHEAD_PERCENT = 2;
  private static final double BELOW_SAVE = 100;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** A trial, whose batch the free memory of now decides. */
  static TorchTrial of(KitOptions options, Findings findings, Libtorch torch, String shim)
      throws IOException {
    return new TorchTrial(options, findings, torch, shim, TorchProcess.batch(options, torch));
  }

  void run() throws IOException, InterruptedException {
    findings.answer("libtorch", "", torch.version() + (torch.hasCuda() ? "" : ", CPU alone"));
    try {
      TorchCalls.load(torch, torch.hasCuda() ? options.ordinal() : -1);
    } catch (IOException e) {
      findings.skip(String.valueOf(e.getMessage()));
      return;
    }
    String expected;
    try (ChildProcess alone = start("alone")) {
      expected = alone.await("digest ", PATIENCE);
    }
    findings.say("undisturbed " + expected);
    try (ChildProcess first = start("killed")) {
      findings.say(AWAITED + first.await(AWAITED, PATIENCE));
      if (first.exitStatus() != KILLED) {
        throw first.failure("was to end by SIGKILL, and ended with " + first.exitStatus());
      }
    }
    try (ChildProcess second = start("cairn")) {
      String resumed = second.await("resumed ", PATIENCE);
      findings.answer("resumed from", "", resumed);
      String digest = second.await("digest ", PATIENCE);
      if (!digest.equals(expected)) {
        throw new IOException(
            "resumed from %s, the state differs from that of an undisturbed training: %s, not %s"
                .formatted(resumed, digest, expected));
      }
    }
    measure();
  }

  private void measure() throws IOException {
    double plain;
    double captured;
    double stall;
    double last;
    double alone;
    long bytes;
    try (ChildProcess measured = start("measure")) {
      bytes = (long) figure(measured, "bytes");
      findings.figure("state", bytes / (double) (1 << 20), "MiB");
      judge(Bar.atLeast("captures of those asked for", figure(measured, "captures"), 99));
      plain = figure(measured, "plain");
      captured = figure(measured, "captured");
      stall = figure(measured, "stall50");
      last = figure(measured, "stall99");
      alone = figure(measured, "alone");
    }
    findings.figure("iterations without captures", 1000 / plain, "1/s");
    findings.figure("iterations with a capture each", 1000 / captured, "1/s");
    findings.figure("stall of an iteration, p50", stall, "ms");
    findings.figure("stall of an iteration, p99", last, "ms");
    findings.figure("a capture while all else waits, p50", alone, "ms");
    judge(Bar.atMost("stall of an iteration, p50 of its time", 100 * stall / plain, STALL_PERCENT));
    double overhead = 100 * (captured / plain - 1);
    judge(Bar.atMost("overhead of captures", overhead, OVERHEAD_PERCENT));
    rivals(bytes, stall);
  }

  private void judge(Bar bar) {
    String unit = "%";
    if (torch.hasCuda()) {
      findings.figure(bar, unit);
    } else {
      findings.figure(bar.name(), bar.value(), unit);
    }
  }

  private double figure(ChildProcess process, String name) throws IOException {
    return Double.parseDouble(process.await("figure " + name + " ", PATIENCE));
  }

  /** The same bytes by {@code torch.save}, and by a clone that a thread saves. */
  private void rivals(long bytes, double stall) throws IOException {
    Path script = options.scratch().resolve(RIVALS);
    try (InputStream text = TorchTrial.class.getResourceAsStream(RIVALS)) {
      if (text == null) {
        throw new IOException("the kit lacks " + RIVALS + "; pack it again");
      }
      Files.copy(text, script);
    }
    Path memory = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : options.scratch();
    Path directory = Files.createTempDirectory(memory, "cairn-rivals-");
    Command command =
        Command.of("python3", script.toString(), Long.toString(bytes), directory.toString())
            .withErrorsInOutput();
    try (ChildProcess python = command.start()) {
      double save = Double.parseDouble(python.await("save ", PATIENCE));
      findings.figure("torch.save to memory", save, "ms");
      findings.figure(
          "clone to pinned memory", Double.parseDouble(python.await("clone ", PATIENCE)), "ms");
      String name = "stalls of an iteration in one torch.save";
      if (torch.hasCuda()) {
        findings.figure(Bar.atLeast(name, save / stall, BELOW_SAVE), "");
      } else {
        findings.figure(name, save / stall, "");
      }
    } catch (IOException e) {
      findings.say("WARN not compared with torch.save: " + e.getMessage());
    } finally {
      LocalTree.delete(directory);
    }
  }

  /** The arguments of a process. */
  List<String> words(String how) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(how, torch.directory().toString(), shim, Long.toString(batch)));
    words.addAll(options.words(scratch(how)));
    return words;
  }

  private Path scratch(String how) {
    return options.scratch().resolve(how.equals("measure") ? how : "training");
  }

  private ChildProcess start(String how) throws IOException {
    Files.createDirectories(scratch(how));
    return Command.java(TorchProcess.class, words(how).toArray())
        .options("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + options.scratch())
        .environment("OMP_NUM_THREADS", "1")
        .environment("CUBLAS_WORKSPACE_CONFIG", ":4096:8") // its sums have one order
        .withErrorsInOutput()
        .start();
  }
}
