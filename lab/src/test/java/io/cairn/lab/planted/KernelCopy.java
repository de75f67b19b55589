package io.cairn.lab.planted;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A copy of all kernels in which one has a defect. Stateless. */
final class KernelCopy {
  private KernelCopy() {}

  /**
   * Writes the copy, and compiles it as the tests do.
   *
   * @param directory empty
   * @return the compiler's output, if it refuses the copy
   */
  static Optional<String> write(Sources sources, Defect defect, Path directory)
      throws IOException, InterruptedException {
    Path changed = sources.source(defect);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(changed.getParent(), "*.{cu,h}")) {
      for (Path file : files) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
    Files.writeString(
        directory.resolve(changed.getFileName()), defect.plantInto(Files.readString(changed)));
    Path build = sources.root().resolve("gpu-cache/src/test/cuda/build");
    Command command =
        Command.of("sh", build.toString(), directory.toString(), directory + "/kernels.so")
            .withErrorsInOutput();
    try (ChildProcess compiler = command.start()) {
      List<String> output = compiler.rest();
      return compiler.exitStatus() == 0 ? Optional.empty() : Optional.of(String.join("\n", output));
    }
  }
}
