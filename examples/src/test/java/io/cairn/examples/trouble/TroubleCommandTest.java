package io.cairn.examples.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as users call it. */
class TroubleCommandTest {
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
  @Tag("proof")
  @Timeout(300)
  void everyTrainingEndsAsItHasTo() throws IOException {
    Path json = directory.resolve("trouble.json");
    Path picture = directory.resolve("trouble.png");

    int status =
        run(
            "demo",
            "trouble",
            "--epochs",
            "2",
            "--json",
            "--output",
            json.toString(),
            "--picture",
            picture.toString());

    assertThat(status).as("%s%s", out, err).isEqualTo(ExitCodes.GOOD);
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    JsonNode trainings = found.required("trainings");
    String undisturbed = trainings.get(0).required("digest").asText();
    assertThat(trainings.get(1).required("digest").asText()).isNotEqualTo(undisturbed);
    assertThat(trainings.get(2).required("digest").asText()).isEqualTo(undisturbed);
    assertThat(trainings.get(3).required("digest").asText()).isNotEqualTo(undisturbed);
    assertThat(levels(trainings.get(2))).isNotEmpty().containsOnly("DEVICE");
    assertThat(trainings.get(2).required("rollBacks")).hasSizeBetween(4, 8);
    assertThat(ImageIO.read(picture.toFile()).getWidth()).isPositive();
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("the bits of the undisturbed training", "DEVICE");
  }

  private static List<String> levels(JsonNode training) {
    List<String> levels = new ArrayList<>();
    training.required("rollBacks").forEach(back -> levels.add(back.required("level").asText()));
    return levels;
  }

  @Test
  void epochsOutOfBoundsAreRefused() {
    assertThat(run("demo", "trouble", "--epochs", "1")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("--epochs");
  }
}
