package io.cairn.lab.gpu.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.lab.gpu.kit.KitReport.PartReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the kit's parts that do not end well. */
class PartRunTest {
  @TempDir private Path directory;

  private PartReport machine(String... more) throws Exception {
    KitOptions options =
        KitOptions.parse(
            List.of(
                "--library",
                "/absent/libcuda.so.1",
                "--scratch",
                directory.toString(),
                more[0],
                more[1]));
    return PartRun.of(KitPart.MACHINE, options);
  }

  @Test
  void aPartThatFailsSaysWhy() throws Exception {
    PartReport report = machine("--gpu", "0");

    assertThat(report.state()).isEqualTo(KitReport.FAILED);
    assertThat(report.reason()).contains("/absent/libcuda.so.1");
    assertThat(report.log()).isNotEmpty();
    assertThat(directory).as("scratch files").isEmptyDirectory();
  }

  @Test
  void aPartThatIsLateIsKilled() throws Exception {
    PartReport report = machine("--deadline", "0");

    assertThat(report.state()).isEqualTo(KitReport.FAILED);
    assertThat(report.reason()).isEqualTo("it did not end within 0 s, and was killed");
  }

  @Test
  void optionsThatAreUnknownOrLackTheirValueAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KitOptions.parse(List.of("--large", "1")))
        .withMessageContaining("--large");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KitOptions.parse(List.of("--small", "--output")))
        .withMessageContaining("--output");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KitOptions.parse(List.of("--parts", "nothing")))
        .withMessageContaining("NOTHING");
  }
}
