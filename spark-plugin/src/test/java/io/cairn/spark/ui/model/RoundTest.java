package io.cairn.spark.ui.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RoundTest {
  @Test
  void thePageHasTheBoundsOfARound() throws IOException {
    String row =
        String.format(
                Locale.ROOT,
                "| a round | %1$d ranks, %1$d restores, %2$d kinds and places of alarms; texts of"
                    + " %3$d",
                Round.MOST_RANKS,
                Round.MOST_OTHERS,
                Rows.LONGEST_TEXT)
            + " characters |";

    assertThat(Files.readString(Path.of("../docs/METRICS.md"))).contains(row);
  }
}
