package io.cairn.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void elsewhereThanOnATerminalEventsAndQuartersArePlainLines() {
    try (DemoConsole console = console(false)) {
      console.progress(0, 100, "epoch 1");
      now = now.plusMillis(12_345);
      console.event("executor 0 (pid 4711) killed at fold-0 iteration 100");
      console.progress(0, 90, "epoch 2");
      for (long iteration = 91; iteration <= 200; iteration++) {
        console.progress(0, iteration, "epoch 2");
      }
    }
    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly(
            "   0.0 s  fold-0 at iteration 100 of 400, epoch 1",
            "  12.3 s  executor 0 (pid 4711) killed at fold-0 iteration 100",
            "  12.3 s  fold-0 at iteration 100 of 400, epoch 2",
            "  12.3 s  fold-0 at iteration 200 of 400, epoch 2");
    assertThat(bytes.toString(UTF_8)).doesNotContain("\033");
  }

  @Test
  void onATerminalTheBarsStayBelowTheEvents() {
    DemoConsole console = console(true);
    console.event("started");
    for (int i = 1; i <= 4; i++) {
      now = now.plusMillis(150);
      console.progress(0, 100L * i, "epoch 1");
    }
    console.event("fold-0 done");
    console.close();
    console.close();
    assertThat(screen())
        .containsExactly(
            "   0.0 s  started",
            "   0.6 s  fold-0 done",
            "  fold-0   ██████████████████████████████   400/400  epoch 1",
            "  fold-1   ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░     0/400  waiting");
  }

  @Test
  void barsAreNotRedrawnForEveryIteration() {
    try (DemoConsole console = console(true)) {
      console.event("started");
      int before = bytes.size();
      console.progress(0, 1, "epoch 1");
      console.progress(0, 2, "epoch 1");
      assertThat(bytes.size()).isEqualTo(before);
    }
    assertThat(screen()).anyMatch(line -> line.contains("2/400"));
  }

  private DemoConsole console(boolean terminal) {
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    return new DemoConsole(out, terminal, () -> now, List.of("fold-0", "fold-1"), 400);
  }

  /** What a terminal shows after all that was printed. */
  private List<String> screen() {
    List<String> lines = new ArrayList<>();
    for (String line : bytes.toString(UTF_8).split("\n", -1)) {
      String rest = line;
      while (rest.startsWith("\033[1A\033[2K")) {
        lines.remove(lines.size() - 1);
        rest = rest.substring("\033[1A\033[2K".length());
      }
      if (!rest.isEmpty()) {
        lines.add(rest);
      }
    }
    return lines;
  }
}
