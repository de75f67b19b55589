package io.cairn.lab.gpu.kit;

import io.cairn.process.ChildProcess;
import java.io.IOException;

/** Answers what the fake driver assumes of a real one: first between processes, then within one. */
final class QuestionsPart implements KitPart.Program {
  private static final String GOOD = "CUDA_SUCCESS (0)";
  private static final String SAME = GOOD + ", same bytes";
  private static final String ALL = ", 0 bytes beyond it";
  private static final String DEAD = "CUDA_ERROR_INVALID_HANDLE (400)";
  private static final String FREED = "CUDA_ERROR_INVALID_VALUE (1)";
  private static final String WORKS = "works";

  /** One scenario, which reports what it sees. */
  private interface Scenario {
    void run() throws IOException, InterruptedException;
  }

  @Override
  public void run(KitOptions options, Findings findings) throws IOException {
    int failed = 0;
    failed += ask(findings, "exporter killed", () -> exporterIsKilled(options, findings));
    failed += ask(findings, "exporter frees", () -> exporterFrees(options, findings));
    failed += ask(findings, "importer killed", () -> importerIsKilled(options, findings));
    failed += ask(findings, "opened twice", () -> opensTwice(options, findings));
    failed += ask(findings, "two are opened", () -> opensTwo(options, findings));
    failed += ask(findings, "codes", () -> new CodeQuestions(options, findings).ask());
    failed += ask(findings, "stalls", () -> new StallQuestions(options, findings).ask());
    if (failed > 0) {
      throw new IOException(failed + " of 7 groups of questions got no answer; see the log");
    }
  }

  /** Asks; a group without an answer does not keep the others from being asked. */
  private static int ask(Findings findings, String group, Scenario scenario) {
    try {
      scenario.run();
      return 0;
    } catch (IOException e) {
      findings.say(group + ": " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static void exporterIsKilled(KitOptions options, Findings findings)
      throws IOException, InterruptedException {
    try (ChildProcess owner = Neighbour.start(options);
        ChildProcess peer = Neighbour.start(options);
        ChildProcess late = Neighbour.start(options)) {
      String handle = ask(owner, "own");
      findings.answer("open", GOOD, ask(peer, "open", handle));
      findings.answer("read while the exporter lives", SAME, ask(peer, "read"));
      owner.kill();
      findings.answer("exporter killed: read", SAME, ask(peer, "read"));
      findings.answer("exporter killed: importer's context", WORKS, ask(peer, "probe"));
      findings.answer("exporter killed: another opens", DEAD, ask(late, "open", handle));
      findings.answer("exporter killed: the other's context", WORKS, ask(late, "probe"));
      findings.answer("exporter killed: close", GOOD, ask(peer, "close"));
    }
  }

  private static void exporterFrees(KitOptions options, Findings findings) throws IOException {
    try (ChildProcess owner = Neighbour.start(options);
        ChildProcess peer = Neighbour.start(options);
        ChildProcess late = Neighbour.start(options)) {
      String handle = ask(owner, "own");
      ask(peer, "open", handle);
      findings.answer("exporter frees: free", GOOD, ask(owner, "free"));
      findings.answer("exporter frees: read", SAME, ask(peer, "read"));
      findings.answer("exporter frees: importer's context", WORKS, ask(peer, "probe"));
      findings.answer("exporter frees: another opens", FREED, ask(late, "open", handle));
      findings.answer("exporter frees: close", GOOD, ask(peer, "close"));
      findings.answer("exporter frees: exporter's context", WORKS, ask(owner, "probe"));
    }
  }

  private static void importerIsKilled(KitOptions options, Findings findings)
      throws IOException, InterruptedException {
    try (ChildProcess owner = Neighbour.start(options);
        ChildProcess peer = Neighbour.start(options)) {
      ask(peer, "open", ask(owner, "own"));
      peer.kill();
      findings.answer("importer killed: read", SAME, ask(owner, "read"));
      findings.answer("importer killed: free", GOOD, ask(owner, "free"));
    }
  }

  private static void opensTwice(KitOptions options, Findings findings) throws IOException {
    try (ChildProcess owner = Neighbour.start(options);
        ChildProcess peer = Neighbour.start(options)) {
      String handle = ask(owner, "own");
      ask(peer, "open", handle);
      findings.answer("opened twice: open", GOOD + ", same address", ask(peer, "open", handle));
      findings.answer("opened twice: first close", GOOD, ask(peer, "close"));
      findings.answer("opened twice: read after one close", SAME, ask(peer, "read"));
      findings.answer("opened twice: second close", GOOD, ask(peer, "close"));
    }
  }

  /** Two that are shorter than the 2 MiB in which the driver takes memory. */
  private static void opensTwo(KitOptions options, Findings findings) throws IOException {
    try (ChildProcess owner = Neighbour.start(options);
        ChildProcess peer = Neighbour.start(options)) {
      String one = ask(owner, "own");
      String other = ask(owner, "own");
      findings.answer("two are opened: one", GOOD, ask(peer, "open", one));
      findings.answer("two are opened: its range", GOOD + ALL, ask(peer, "range"));
      findings.answer("two are opened: another", GOOD + ", another", ask(peer, "open", other));
      findings.answer("two are opened: its range, too", GOOD + ALL, ask(peer, "range"));
      findings.answer("two are opened: read", SAME, ask(peer, "read"));
      findings.answer("two are opened: close", GOOD, ask(peer, "close"));
    }
  }

  private static String ask(ChildProcess process, Object... words) throws IOException {
    process.send(words);
    return process.await(words[0] + " ");
  }
}
