package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The plugin has a pom per line of Spark, since the coordinates of a module are constants. */
class PomsTest {
  @Test
  void thePomsDifferInTheirLineOfSparkAlone() throws IOException {
    String spark3 = Files.readString(Path.of("pom.xml"));
    String spark4 = Files.readString(Path.of("spark-4.xml"));

    assertThat(spark3).contains("<artifactId>cairn-spark-plugin_3.5_2.12</artifactId>");
    assertThat(spark4)
        .isEqualTo(
            spark3
                .replace("_3.5_2.12<", "_4.2_2.13<")
                .replace("Spark 3.5<", "Spark 4.2<")
                .replace("/cairn-bundle.jar", "/cairn-bundle-spark-4.jar"));
  }
}
