package io.cairn.examples.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as users call it, with few steps. */
class ElasticCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  /** A rank is killed, then the rank that hosts coordinator and exchange. */
  @Test
  @Tag("proof")
  @Timeout(300)
  void fourThenThreeThenFourExecutorsEndWithTheBitsOfOne() throws IOException {
    Path json = directory.resolve("elastic.json");

    int status =
        run("demo", "elastic", "--virtual-ranks=5", "--steps=12", "--json", "--output=" + json);

    assertThat(status).as("%s%s", out, err).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("5 virtual ranks, 12 steps: identical");
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertThat(found.required("identical").asBoolean()).isTrue();
    assertThat(found.required("disturbed")).isEqualTo(found.required("undisturbed"));
    assertThat(found.required("attempts").findValuesAsText("executors"))
        .containsExactly("4", "3", "4");
    assertThat(found.at("/attempts/1/from").asLong()).isBetween(1L, 4L);
    assertThat(found.at("/attempts/2/from").asLong()).isBetween(5L, 8L);
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThat(run("demo", "elastic", "--virtual-ranks", "3")).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("give --virtual-ranks 4 to 64, --steps 6 to 10000");
  }
}
