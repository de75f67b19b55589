package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/cairn} in a repository of its own, with a Maven that only counts its calls and a Java
 * that only prints its arguments.
 */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("../bin/cairn").toAbsolutePath().normalize();
  private static final String LABORATORY = "<io.cairn.lab.Laboratory>";
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      echo call >> calls
      [ ! -e broken ] || { echo "[ERROR] it is broken"; exit 1; }
      if [[ "$*" == *test-compile* ]]; then
        mkdir -p lab/target/classes lab/target/test-classes core/target/test-classes
        echo "$PWD/core/target/test-classes" > lab/target/test.classpath
        exit
      fi
      for argument in "$@"; do
        case "$argument" in -Dcairn.classpath.directory=*) directory="${argument#*=}" ;; esac
      done
      mkdir -p "$directory"
      for module in cli models examples lab; do
        mkdir -p "$module/target" && touch "$module/target/cairn-$module.jar" "lib-$module.jar"
        echo "$PWD/lib-$module.jar" > "$directory/cairn-$module"
      done
      echo "[INFO] Building Cairn cli 0.1.0-SNAPSHOT    [2/4]"
      """;
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for argument in "$@"; do echo "<$argument>"; done
      """;

  @TempDir Path directory;
  private Path repository;
  private Path jdk;
  private String path = System.getenv("PATH");
  private String noBuild = "";
  private String options = "";
  private String hadoop = "";

  private record Run(int exitCode, List<String> out, String err) {
    /** What the main class was given. */
    List<String> arguments() {
      int main = Math.max(out.indexOf("<io.cairn.cli.Main>"), out.indexOf(LABORATORY));
      return out.subList(main + 1, out.size());
    }
  }

  @BeforeEach
  void makeRepository() throws IOException {
    repository = directory.resolve("my repository");
    script(repository.resolve("mvnw"), MAVEN);
    script(repository.resolve("bin/cairn"), Files.readString(LAUNCHER));
    script(
        repository.resolve("bin/cairn-lab"),
        Files.readString(LAUNCHER.resolveSibling("cairn-lab")));
    Files.createDirectories(repository.resolve("cli/src/main/java"));
    Files.writeString(repository.resolve("pom.xml"), "<project/>");
    jdk = jdk("jdk", "17.0.15");
  }

  @Test
  void theFirstUseBuildsAndSaysSoAndTheNextIsQuiet() throws Exception {
    Run first = run(repository.resolve("bin/cairn"), "list", "a store", "--job=x y");
    assertThat(first.err()).contains("cairn: building", "25 %  cli", "cairn: built in");
    assertThat(first.arguments()).containsExactly("<list>", "<a store>", "<--job=x y>");
    Run second = run(repository.resolve("bin/cairn"), "list");
    assertThat(second.err()).isEmpty();
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void aNewerSourceOrALostJarBuildsAgain() throws Exception {
    Path launcher = repository.resolve("bin/cairn");
    run(launcher);
    Path source = Files.writeString(repository.resolve("cli/src/main/java/A.java"), "class A {}");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(-3600)));
    Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.now().plusSeconds(-3600)));
    run(launcher);
    assertThat(calls()).as("older source").isEqualTo(1);
    Path stamp = repository.resolve("target/launcher/stamp");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(-60)));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(-30)));
    run(launcher);
    assertThat(calls()).as("newer source").isEqualTo(2);
    Files.delete(repository.resolve("lib-lab.jar"));
    run(launcher);
    assertThat(calls()).as("lost jar").isEqualTo(3);
  }

  @Test
  void aFailedBuildShowsTheEndOfItsLogAndIsTriedAgain() throws Exception {
    Files.createFile(repository.resolve("broken"));
    Run failed = run(repository.resolve("bin/cairn"), "list");
    assertThat(failed.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(failed.err()).contains("[ERROR] it is broken", "cairn: the build failed");
    Files.delete(repository.resolve("broken"));
    assertThat(run(repository.resolve("bin/cairn"), "list").exitCode()).isZero();
  }

  @Test
  void itIsFoundThroughSymbolicLinks() throws Exception {
    Path link = directory.resolve("links/cairn");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("../my repository/bin/cairn"));
    assertThat(run(link, "list").arguments()).containsExactly("<list>");
    Path lab = link.resolveSibling("laboratory");
    Files.createSymbolicLink(lab, Path.of("../my repository/bin/cairn-lab"));
    assertThat(run(lab, "list").out()).containsSequence(LABORATORY, "<list>");
  }

  @Test
  void longCommandsGetTheFullCompilerAndShortOnesAQuickStart() throws Exception {
    Path launcher = repository.resolve("bin/cairn");
    assertThat(run(launcher, "demo").out())
        .contains("<--add-opens=java.base/sun.nio.ch=ALL-UNNAMED>")
        .doesNotContain("<-XX:TieredStopAtLevel=1>");
    assertThat(run(launcher, "verify").out()).contains("<-XX:TieredStopAtLevel=1>");
  }

  /** A benchmark under the quick compiler alone would measure something else. */
  @Test
  void anOptionBeforeTheCommandChangesNothing() throws Exception {
    Path launcher = repository.resolve("bin/cairn");
    Path lab = repository.resolve("bin/cairn-lab");

    assertThat(run(launcher, "--verbose", "list").out())
        .contains(classPath("cli"), "<-XX:TieredStopAtLevel=1>")
        .containsSequence("<io.cairn.cli.Main>", "<--verbose>", "<list>");
    assertThat(run(lab, "--verbose", "bench", "small").out())
        .contains("<--add-opens=java.base/sun.nio.ch=ALL-UNNAMED>")
        .doesNotContain("<-XX:TieredStopAtLevel=1>");
    assertThat(run(lab, "--verbose", "simulate", "cluster").out()).contains("<-Xmn512m>");
    noBuild = "1";
    assertThat(run(lab, "--verbose", "gpu-kit", "kit").err())
        .contains("the tests that gpu-kit packs are not compiled");
  }

  /** Java does not start with two. */
  @Test
  void aCollectorOfTheUsersComesAlone() throws Exception {
    Path launcher = repository.resolve("bin/cairn-lab");
    List<String> commands = List.of("list", "simulate", "reproduce");
    for (String command : commands) {
      assertThat(run(launcher, command).out()).contains("<-XX:+UseSerialGC>");
    }
    options = "-Xmx1g -XX:+UseG1GC";
    for (String command : commands) {
      assertThat(run(launcher, command).out()).doesNotContain("<-XX:+UseSerialGC>");
    }
  }

  @Test
  void aRepositoryThatNoClassPathCanNameIsRefused() throws Exception {
    Path moved = directory.resolve("my:repository/bin/cairn");
    script(moved, Files.readString(LAUNCHER));

    Run run = run(moved, "list");

    assertThat(run.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("my:repository has a colon");
  }

  @Test
  void aCommandSeesTheClassPathOfItsModule() throws Exception {
    Path launcher = repository.resolve("bin/cairn");

    for (String command :
        List.of(
            "list", "goodput", "top", "verify", "explain", "inspect", "diff", "copy", "prune",
            "gc")) {
      assertThat(run(launcher, command).out()).contains(classPath("cli"));
    }
    for (String command : List.of("demo", "export", "import", "--help", "lisst", "bench")) {
      assertThat(run(launcher, command).out()).contains(classPath("examples"));
    }
    for (String command : List.of("bench", "soak", "schedule", "pattern", "--help", "list")) {
      assertThat(run(repository.resolve("bin/cairn-lab"), command).out())
          .contains(classPath("lab"), LABORATORY);
    }
  }

  @Test
  void hadoopsOwnFilesAreOnTheClassPathOfACommand() throws Exception {
    hadoop = "/etc/my hadoop";
    Path launcher = repository.resolve("bin/cairn");

    assertThat(run(launcher, "list", "hdfs:///store").out())
        .anySatisfy(each -> assertThat(each).endsWith(".jar:/etc/my hadoop>"));
    assertThat(run(launcher, "demo").out()).noneMatch(each -> each.contains("/etc/my hadoop"));
  }

  @Test
  void theKitCompilesTestsWhereTheyAreNotThereOrOlderThanASource() throws Exception {
    Path launcher = repository.resolve("bin/cairn-lab");
    run(launcher, "list");
    noBuild = "1";
    Run none = run(launcher, "gpu-kit", "kit");
    assertThat(none.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(none.err()).contains("the tests that gpu-kit packs are not compiled");

    noBuild = "";
    assertThat(run(launcher, "gpu-kit", "kit").arguments()).containsExactly("<gpu-kit>", "<kit>");
    assertThat(run(launcher, "gpu-kit", "kit").err()).isEmpty();
    assertThat(calls()).as("the tests are there").isEqualTo(2);
    noBuild = "1";
    assertThat(run(launcher, "gpu-kit", "kit").arguments()).containsExactly("<gpu-kit>", "<kit>");

    noBuild = "";
    Path stamp = repository.resolve("target/launcher/tests.stamp");
    Files.createDirectories(repository.resolve("cli/src/test/java"));
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(-60)));
    run(launcher, "gpu-kit", "kit");
    assertThat(calls()).as("a newer test").isEqualTo(3);
    Files.delete(repository.resolve("core/target/test-classes"));
    run(launcher, "gpu-kit", "kit");
    assertThat(calls()).as("classes are lost").isEqualTo(4);
  }

  private String classPath(String module) {
    return "<%1$s/%2$s/target/cairn-%2$s.jar:%1$s/lib-%2$s.jar>".formatted(repository, module);
  }

  @Test
  void anotherJavaReleaseIsPassedOver() throws Exception {
    path = jdk.resolve("bin") + File.pathSeparator + path;
    Path right = jdk;
    jdk = jdk("jdk-25", "25.0.1");
    Run run = run(repository.resolve("bin/cairn"), "list");
    assertThat(run.err()).contains("with Java 17 from " + right + " ");
    assertThat(run.arguments()).containsExactly("<list>");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
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
            .environment("JAVA_HOME", jdk.toString())
            .environment("PATH", path)
            .environment("CAIRN_NO_BUILD", noBuild)
            .environment("JAVA_TOOL_OPTIONS", options)
            .environment("HADOOP_CONF_DIR", hadoop)
            .outputTo(out)
            .errorsTo(err)
            .start()) {
      exitCode = process.exitStatus();
    }
    return new Run(exitCode, Files.readAllLines(out), Files.readString(err));
  }

  private long calls() throws IOException {
    return Files.readAllLines(repository.resolve("calls")).size();
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
