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
    List<String> all = new ArrayList<>(List.of("demo", "wave"));
    all.addAll(List.of("--json", "--output", json.toString(), "--pictures", pictures().toString()));
    all.addAll(List.of(more));
    int status = run(all.toArray(String[]::new));
    assertThat(status).as("%s%s", out, err).isEqualTo(ExitCodes.GOOD);
    return new ObjectMapper().readTree(json.toFile());
  }

  private Path pictures() {
    return directory.resolve("pictures");
  }

  @Test
  @Timeout(300)
  void survivesKillsWithTheSameBits() throws IOException {
    JsonNode found = demo("--cache-mib", "4", "--steps", "100", "--kill");
    assertThat(found.required("identical").asBoolean()).isTrue();
    assertThat(found.required("imageRelativeError").asDouble()).isZero();
    requireLevels(found);
    assertThat(err.toString()).contains("killed; the same call goes on", "shot 9 of 9 done");
    assertThat(pictures().toFile().list())
        .containsExactlyInAnyOrder("fields.png", "image.png", "occupancy.png", "seismogram.png");
  }

  /** All that goes down goes to files, and most of it comes back. */
  private static void requireLevels(JsonNode found) {
    assertThat(found.required("levels").findValuesAsText("level"))
        .containsExactly("DEVICE", "NODE");
    long down = found.at("/levels/0/bytesDown").asLong();
    assertThat(down).isPositive().isEqualTo(found.at("/levels/1/bytesDown").asLong());
    assertThat(found.at("/levels/0/bytesUp").asLong())
        .isPositive()
        .isLessThanOrEqualTo(found.at("/levels/1/bytesUp").asLong());
  }

  @Test
  @Timeout(300)
  void fourRanksComputeTheSameBitsOfABox() throws IOException {
    Path trace = directory.resolve("trace.csv");
    JsonNode found =
        demo("--dimensions=3", "--steps=80", "--cache-mib=12", "--ranks=4", "--trace=" + trace);
    assertThat(found.required("identical").asBoolean()).isTrue();
    requireLevels(found);
    assertThat(Files.readAllLines(trace)).hasSize(1 + 4 * 80);
    assertThat(pictures().toFile().list()).contains("image-x.png", "image-y.png");
  }

  /** At its full size. */
  @Test
  @Tag("proof")
  void aBoxSurvivesKills() throws IOException {
    JsonNode found = demo("--dimensions", "3", "--kill");
    assertThat(found.required("identical").asBoolean()).isTrue();
    requireLevels(found);
    for (JsonNode face : found.required("interfaces")) {
      double cells = face.required("worstMeters").asDouble() / Grid.BOX.meters();
      assertThat(cells).as(face.toString()).isLessThanOrEqualTo(1.5);
    }
  }

  /** Kills that leave a checkpoint which all ranks have. */
  @Test
  @Tag("proof")
  void fourRanksSurviveKills() throws IOException {
    assertThat(demo("--cache-mib", "4", "--ranks", "4", "--kill").required("identical").asBoolean())
        .isTrue();
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThat(run("demo", "wave", "--steps", "3")).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("give --steps 80 to 4000");
    assertThat(run("demo", "wave", "--dimensions", "4")).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("a survey of 4 dimensions; it has 2 or 3");
  }
}
