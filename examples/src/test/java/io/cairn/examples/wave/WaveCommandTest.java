package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
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

  private JsonNode demo(String... more) throws IOException {
    Path json = directory.resolve("wave.json");
    List<String> all = new ArrayList<>(List.of("demo", "wave", "--cache-mib", "4"));
    all.addAll(List.of("--json", json.toString(), "--pictures", pictures().toString()));
    all.addAll(List.of(more));
    int status = run(all.toArray(String[]::new));
    assertThat(status).as("%s%s", out, err).isEqualTo(ExitCodes.GOOD);
    return new ObjectMapper().readTree(json.toFile());
  }

  private Path pictures() {
    return directory.resolve("pictures");
  }

  @Test
  @Timeout(120)
  void survivesKillsWithTheSameBits() throws IOException {
    JsonNode found = demo("--steps", "100", "--kill");
    assertThat(found.required("identical").asBoolean()).isTrue();
    assertThat(found.required("imageRelativeError").asDouble()).isZero();
    assertThat(found.at("/levels/0/bytesDown").asLong()).isPositive();
    assertThat(err.toString()).contains("killed; the same call goes on", "shot 9 of 9 done");
    assertThat(pictures().toFile().list())
        .containsExactlyInAnyOrder("fields.png", "image.png", "occupancy.png", "seismogram.png");
  }

  @Test
  @Timeout(120)
  void fourRanksComputeTheSameBits() throws IOException {
    Path trace = directory.resolve("trace.csv");
    JsonNode found = demo("--steps", "80", "--ranks", "4", "--trace", trace.toString());
    assertThat(found.required("identical").asBoolean()).isTrue();
    assertThat(found.at("/levels/0/bytesDown").asLong()).isPositive();
    assertThat(Files.readAllLines(trace)).hasSize(1 + 4 * 80);
  }

  /** Kills that leave a checkpoint which all ranks have. */
  @Test
  @Tag("proof")
  void fourRanksSurviveKills() throws IOException {
    assertThat(demo("--ranks", "4", "--kill").required("identical").asBoolean()).isTrue();
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThat(run("demo", "wave", "--steps", "3")).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("give --steps 80 to 4000");
  }
}
