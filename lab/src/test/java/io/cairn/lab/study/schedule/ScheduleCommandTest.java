package io.cairn.lab.study.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.cli.CommandRun;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.LabRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code schedule} as users call it. */
class ScheduleCommandTest {
  @TempDir Path directory;

  @Test
  void thePublishedExampleTransferByTransfer() throws IOException {
    CommandRun run = schedule(Instances.published().toString(), "--lexicographic", "--chunked");
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out())
        .contains(
            """
            "transfers":[{"from":0,"to":1,"bytes":137000000},{"from":0,"to":4,"bytes":275000000},\
            {"from":0,"to":"host","bytes":68000000},{"from":6,"to":4,"bytes":160000000},\
            {"from":6,"to":"host","bytes":80000000}]\
            """);
    JsonNode certificate = Instances.JSON.readTree(run.out()).get("certificate");
    assertThat(certificate.get("senders").toString()).isEqualTo("[6]");
    assertThat(certificate.get("tight").toString())
        .contains(
            """
            {"kind":"host","from":6,"to":"host","members":[],"bytesPerSecond":12000000000}\
            """,
            """
            {"kind":"link","from":6,"to":4,"members":[],"bytesPerSecond":24000000000}\
            """);
  }

  @Test
  void aLineHasTheseKeysInThisOrder() throws IOException {
    JsonNode plan = Instances.JSON.readTree(schedule(Instances.small("a")).out());
    assertThat(plan.fieldNames())
        .toIterable()
        .containsExactly(
            "id",
            "feasible",
            "blockingSeconds",
            "senderSeconds",
            "transfers",
            "certificate",
            "solveMicros");
    assertThat(plan.get("certificate").fieldNames())
        .toIterable()
        .containsExactly("senders", "receivers", "tight", "lowerBoundSeconds");
    assertThat(plan.get("blockingSeconds").doubleValue()).isEqualTo(2.5);
    assertThat(plan.get("transfers").toString())
        .isEqualTo(
            "[{\"from\":0,\"to\":1,\"bytes\":750},{\"from\":0,\"to\":\"host\",\"bytes\":250}]");
  }

  @Test
  void whatCannotBeSolvedSaysWhyAndIsNoError() throws IOException {
    String noWayOut = Instances.small("a").replace("300", "0").replace("[100,100]", "[0,0]");
    CommandRun run = schedule(noWayOut);
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    JsonNode answer = Instances.JSON.readTree(run.out());
    assertThat(answer.get("feasible").booleanValue()).isFalse();
    assertThat(answer.get("reason").textValue()).contains("[0]", "1000 bytes");
    assertThat(answer.get("certificate").get("lowerBoundSeconds").isNull()).isTrue();
  }

  @Test
  void aBadLineIsToldAndTheOthersAreSolved() throws IOException {
    String unequal = Instances.small("short").replace("[0,2000]", "[0]");
    CommandRun run =
        schedule(Instances.small("a") + "\n\n{oops\r\n" + unequal + "\n" + Instances.small("b"));
    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    List<JsonNode> answers = Instances.parsed(run.lines());
    assertThat(answers).hasSize(4);
    assertThat(answers.get(0).get("id").textValue()).isEqualTo("a");
    assertThat(answers.get(1).get("line").intValue()).isEqualTo(3);
    assertThat(answers.get(1).get("id").isNull()).isTrue();
    assertThat(answers.get(1).get("error").textValue()).contains("no JSON", "column");
    assertThat(answers.get(2).toString())
        .isEqualTo(
            """
            {"line":4,"id":"short","error":"spareBytes has 1 values for 2 devices"}\
            """);
    assertThat(answers.get(3).get("blockingSeconds").doubleValue()).isEqualTo(2.5);
    assertThat(run.err())
        .contains("cairn: line 3: ", "cairn: line 4 (short): spareBytes has 1 values");
  }

  @Test
  void readsStandardInput() {
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream(Instances.small("from stdin").getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(LabRun.of("schedule").out()).startsWith("{\"id\":\"from stdin\"");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aLineLargerThanMemoryIsToldAndTheNextIsSolved() {
    long bytes = 1_200_000_000;
    InputStream before = System.in;
    System.setIn(new HugeLine(bytes, "\n" + Instances.small("next")));
    try {
      CommandRun run = LabRun.of("schedule");
      assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
      assertThat(run.lines().get(0)).contains("is no JSON object");
      assertThat(run.lines().get(1)).startsWith("{\"id\":\"next\",\"feasible\":true");
    } finally {
      System.setIn(before);
    }
  }

  /** An array of as many bytes, and what follows it. */
  private static final class HugeLine extends InputStream {
    private final InputStream rest;
    private long left;

    HugeLine(long bytes, String rest) {
      this.left = bytes;
      this.rest = new ByteArrayInputStream(rest.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one by one would take all day");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = (int) Math.min(length, left);
      if (count == 0) {
        return rest.read(into, offset, length);
      }
      Arrays.fill(into, offset, offset + count, (byte) '[');
      left -= count;
      return count;
    }
  }

  @Test
  void aNumberLongerThanAnyIsToldWithItsKey() throws IOException {
    String digits = Instances.small("a").replace("1000,", "1" + "0".repeat(100_000) + ",");
    CommandRun run = schedule(digits + "\n" + Instances.small("b"));
    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.err()).contains("remainderBytes has a name or number of more than 16384 bytes");
    assertThat(run.lines().get(1)).startsWith("{\"id\":\"b\",\"feasible\":true");
  }

  @Test
  void minTimeRefusesMoreChunksThanItCanSearchPathsFor() throws IOException {
    String fine = Instances.small("a").replace("1000,", "20000000,");
    CommandRun run = schedule(fine, "--algorithm", "min-time");
    assertThat(run.exit()).isEqualTo(ExitCodes.BAD);
    assertThat(run.err()).contains("20000000 chunks", "take larger chunks");
  }

  @ParameterizedTest
  @CsvSource({
    "--algorithm greedy --lexicographic, --lexicographic goes with --algorithm exact",
    "--algorithm best, 'best'",
    "--input nowhere.jsonl, nowhere.jsonl"
  })
  void wrongUsageIsRefused(String arguments, String message) {
    CommandRun run = LabRun.of(("schedule " + arguments).split(" "));
    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(message);
  }

  @Test
  void theInputIsNotOverwritten() throws IOException {
    Path file = Files.writeString(directory.resolve("problems.jsonl"), Instances.small("a"));
    CommandRun run = LabRun.of("schedule", "--input", file.toString(), "--output", file.toString());
    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(file).hasContent(Instances.small("a"));
  }

  private CommandRun schedule(String lines, String... more) throws IOException {
    Path file = Files.writeString(directory.resolve("problems.jsonl"), lines);
    String[] arguments = new String[3 + more.length];
    arguments[0] = "schedule";
    arguments[1] = "--input";
    arguments[2] = file.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return LabRun.of(arguments);
  }
}
