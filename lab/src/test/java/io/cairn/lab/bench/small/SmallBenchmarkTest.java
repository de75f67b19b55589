package io.cairn.lab.bench.small;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SmallBenchmarkTest {
  private static final int BLOCK = 2;

  /** Blocks of a set length: on a busy machine one of set time may overrun DEVICE and STORE. */
  private static List<FigureTable.Row> run(int rounds, String name, SmallBenchmark.Maker maker)
      throws IOException {
    FigureTable cases = new BenchReport("small").table("small");
    new SmallBenchmark(1, rounds).run(name, maker, first -> BLOCK, cases);
    return cases.rows();
  }

  @Test
  void everyIterationOfALoopIsCaptured() throws Exception {
    List<FigureTable.Row> cases =
        run(2, "loop", (mode, scratch) -> new PlainLoop(mode, scratch, 1600, 1.0));

    assertThat(cases)
        .extracting(row -> row.get("mode"))
        .containsExactly("adaptive", "every", "beside");
    assertThat(cases).extracting(row -> row.get("bytes")).containsOnly(1600L);
    assertThat(cases).extracting(row -> row.number("iterations")).containsOnly(2.0 * BLOCK);
    assertThat(cases.subList(1, 3))
        .extracting(every -> every.number("captured %"))
        .containsOnly(100.0);
  }

  /** Most blocks have none of them, and their median does not show them. */
  @Test
  void whatGoesToStoreIsCountedAndItsTimeIsInTheSum() throws Exception {
    List<FigureTable.Row> cases =
        run(60, "loop", (mode, scratch) -> new PlainLoop(mode, scratch, 1600, 0.5));

    // ten blocks warm up: of iterations 20 to 139, every 50th is due
    assertThat(cases.subList(1, 3)).extracting(every -> every.number("at STORE")).containsOnly(2.0);
  }

  @Test
  void optionsThatMeasureNothingAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SmallBenchmark(10, 0))
        .withMessageContaining("--rounds is 0");
    for (List<String> options :
        List.of(
            List.of("--rounds", "0"),
            List.of("--block", "0"),
            List.of("--bytes", "8"),
            List.of("--loops", "0"))) {
      CommandLine line = new CommandLine(new BenchSmallCommand());
      AtomicReference<Exception> refused = new AtomicReference<>();
      line.setExecutionExceptionHandler(
          (failure, command, parsed) -> {
            refused.set(failure);
            return 2;
          });

      assertThat(line.execute(options.toArray(String[]::new))).isEqualTo(2);
      assertThat(refused.get())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(options.get(0));
    }
  }

  @Test
  void everyIterationOfANetworkIsCaptured() throws Exception {
    List<FigureTable.Row> cases =
        run(2, "network", (mode, scratch) -> new SmallNetwork(mode, scratch, 4));

    assertThat(cases.subList(1, 3))
        .extracting(every -> every.number("captured %"))
        .containsOnly(100.0);
  }
}
