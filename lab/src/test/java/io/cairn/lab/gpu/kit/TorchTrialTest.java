package io.cairn.lab.gpu.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes of one training with libtorch. */
class TorchTrialTest {
  @TempDir private Path directory;

  /** The free memory of a GPU differs from process to process, and so would their states. */
  @Test
  void allHaveOneBatch() {
    KitOptions options = KitOptions.parse(List.of("--scratch", directory.toString()));
    Findings findings = new Findings(System.out, false);
    TorchTrial trial = new TorchTrial(options, findings, new Libtorch(directory), "", 777);

    assertThat(List.of("alone", "killed", "cairn", "measure"))
        .allSatisfy(how -> assertThat(trial.words(how).subList(0, 4)).contains(how, "777"));
  }
}
