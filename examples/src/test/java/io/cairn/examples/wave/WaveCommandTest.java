package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as users call it, with short shots. */
class WaveCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  @Timeout(120)
  void survivesKillsWithTheSameBits() throws IOException {
    Path json = directory.resolve("wave.json");
    Path pictures = directory.resolve("pictures");
    int status =
        run(
            "demo",
            "wave",
            "--steps",
            "100",
            "--cache-mib",
            "4",
            "--kill",
            "--json",
            json.toString(),
            "--pictures",
            pictures.toString());
    assertThat(status).as("%s%s", out, err).isEqualTo(ExitCodes.GOOD);
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertThat(found.required("identical").asBoolean()).isTrue();
    assertThat(found.required("imageRelativeError").asDouble()).isZero();
    assertThat(found.at("/levels/0/bytesDown").asLong()).isPositive();
    assertThat(err.toString()).contains("killed; the same call goes on", "shot 9 of 9 done");
    assertThat(pictures.toFile().list())
        .containsExactlyInAnyOrder("fields.png", "image.png", "occupancy.png", "seismogram.png");
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThat(run("demo", "wave", "--steps", "3")).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("give --steps 80 to 4000");
  }
}
