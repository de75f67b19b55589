package io.cairn.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of the zip, with a Java that only prints its arguments, and with nothing else on the
 * {@code PATH}. {@code .ci/zip} runs the zip itself.
 */
class ZipLauncherTest {
  private static final Path LAUNCHER = Path.of("src/main/assembly/cairn");
  private static final String JAVA =
      """
      #!/bin/sh
      [ "$1" != -version ] || { echo 'openjdk version "VERSION" 2025-04-15' >&2; exit; }
      for argument in "$@"; do echo "<$argument>"; done
      """;

  @TempDir Path directory;
  private Path folder;
  private Path path;
  private String dl4j = "";

  private record Run(int exitCode, List<String> out, String err) {
    List<String> arguments() {
      return out.subList(out.indexOf("<io.cairn.cli.Main>") + 1, out.size());
    }

    String classPath() {
      return out.get(out.indexOf("<-cp>") + 1);
    }
  }

  @BeforeEach
  void unpack() throws IOException {
    folder = directory.resolve("my folder");
    path = directory.resolve("path");
    script(folder.resolve("bin/cairn"), Files.readString(LAUNCHER));
    Files.createDirectories(folder.resolve("lib"));
    Files.createFile(folder.resolve("lib/cairn.jsa"));
    java("17.0.15");
  }

  private void java(String version) throws IOException {
    script(path.resolve("java"), JAVA.replace("VERSION", version));
  }

  @Test
  void javaIsAllThatItNeeds() throws Exception {
    Run run = run(folder.resolve("bin/cairn"), "list", "a store", "--job=x y");

    assertThat(run.err()).isEmpty();
    assertThat(run.arguments()).containsExactly("<list>", "<a store>", "<--job=x y>");
    assertThat(run.classPath()).isEqualTo("<" + folder + "/lib/*>");
    assertThat(run.out()).contains("<-XX:SharedArchiveFile=" + folder + "/lib/cairn.jsa>");
  }

  @Test
  void itIsFoundThroughSymbolicLinks() throws Exception {
    Path link = directory.resolve("links/cairn");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("../my folder/bin/cairn"));

    assertThat(run(link, "gc").classPath()).isEqualTo("<" + folder + "/lib/*>");
  }

  @Test
  void jarsOfDl4jAreThoseThatTheUserNames() throws Exception {
    Path launcher = folder.resolve("bin/cairn");
    String own = "<" + folder + "/lib/*:";

    assertThat(run(launcher, "export").classPath()).isEqualTo(own + folder + "/lib/dl4j/*>");
    dl4j = "/their jars";
    assertThat(run(launcher, "import").classPath()).isEqualTo(own + "/their jars/*>");
    assertThat(run(launcher, "import", "--dl4j", "/a b", "x").classPath())
        .isEqualTo(own + "/a b/*>");
    assertThat(run(launcher, "export", "x", "--dl4j=/c").classPath()).isEqualTo(own + "/c/*>");
    assertThat(run(launcher, "verify", "x").classPath()).doesNotContain("their jars");
  }

  @Test
  void anotherJavaOrNoneIsRefused() throws Exception {
    java("1.8.0_442");
    Run old = run(folder.resolve("bin/cairn"), "list");
    Files.delete(path.resolve("java"));
    Run none = run(folder.resolve("bin/cairn"), "list");

    assertThat(old.exitCode()).isEqualTo(2);
    assertThat(old.err()).contains("cairn: needs Java 17, and java is another", "1.8.0_442");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("cairn: needs a Java 17 runtime", "JAVA_HOME");
  }

  private Run run(Path launcher, String... arguments) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    String[] words = new String[arguments.length + 1];
    words[0] = launcher.toString();
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    Files.deleteIfExists(out);
    Files.deleteIfExists(err);
    int exitCode;
    try (ChildProcess process =
        Command.of(words)
            .directory(directory)
            .environment("JAVA_HOME", "")
            .environment("PATH", path.toString())
            .environment("CAIRN_DL4J", dl4j)
            .outputTo(out)
            .errorsTo(err)
            .start()) {
      exitCode = process.exitStatus();
    }
    return new Run(exitCode, Files.readAllLines(out), Files.readString(err));
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
