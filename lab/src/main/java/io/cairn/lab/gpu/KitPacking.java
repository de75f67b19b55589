package io.cairn.lab.gpu;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Packs a kit: a runtime without what it does not need, the classes, and {@code run.sh}.
 *
 * @param directory absolute; made
 */
record KitPacking(Path directory) {
  private static final String SCRIPT = "run.sh";
  private static final List<String> MODULES =
      List.of("java.base", "java.logging", "java.management");

  /**
   * Packs the class path of this process, as far as the kit needs it.
   *
   * @return the archive beside the directory
   * @throws IOException naming what is missing, or the directory if it exists
   */
  Path pack() throws IOException, InterruptedException {
    if (Files.exists(directory)) {
      throw new FileAlreadyExistsException(
          directory + " exists already; delete it, or name another directory");
    }
    Files.createDirectories(directory.resolve("lib"));
    linkRuntime();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      KitLibrary.of(Path.of(entry).toAbsolutePath())
          .ifPresent(library -> library.writeTo(directory.resolve("lib")));
    }
    KitLibrary.requireAll(directory.resolve("lib"));
    writeScript();
    return archive();
  }

  private void linkRuntime() throws IOException {
    Path modules = Path.of(System.getProperty("java.home"), "jmods");
    if (!Files.isDirectory(modules)) {
      throw new IOException(
          modules + " is missing: the kit's runtime is linked from it; use a JDK that has it");
    }
    int status =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IOException("this Java has no jlink; use a JDK 17"))
            .run(
                System.out,
                System.err,
                "--module-path",
                modules.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-debug",
                "--no-man-pages",
                "--no-header-files",
                "--compress=2",
                "--output",
                directory.resolve("runtime").toString());
    if (status != 0) {
      throw new IOException("jlink ended with status " + status + ", for the reason above");
    }
  }

  private void writeScript() throws IOException {
    try (InputStream script = KitPacking.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IOException("Cairn's jar lacks " + SCRIPT + "; build it again");
      }
      Path target = directory.resolve(SCRIPT);
      Files.copy(script, target);
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private Path archive() throws IOException, InterruptedException {
    String name = directory.getFileName().toString();
    Path archive = directory.resolveSibling(name + ".tar.gz");
    Command tar =
        Command.of(
                "tar",
                "-C",
                directory.resolveSibling("").toString(),
                "-czf",
                archive.toString(),
                name)
            .withErrorsInOutput();
    try (ChildProcess packer = tar.start()) {
      List<String> output = packer.rest();
      if (packer.exitStatus() != 0) {
        throw new IOException("tar failed: " + String.join("; ", output));
      }
    }
    return archive;
  }
}
