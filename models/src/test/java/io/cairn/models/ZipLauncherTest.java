package io.cairn.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of the zip, with a Java that only prints its arguments, and with nothing else on the
 * {@code PATH}. {@code .ci/zip} runs the zip itself.
 */
@Timeout(60)
class ZipLauncherTest {
  private static final Path LAUNCHER = Path.of("src/main/assembly/cairn");
  private static final String JAVA =
      """
      #!/bin/sh
      [ "$1" != -version ] || { echo 'openjdk version "VERSION" 2025-04-15' >&2; exit; }
      for argument in "$@"; do
        case "$argument" in
          -XX:ArchiveClassesAtExit=*)
            echo made >> "MADE"
            [ ! -e "MADE.broken" ] || exit 1
            umask 077
            echo "$$" > "${argument#*=}"
            exit
            ;;
        esac
        echo "<$argument>"
      done
      """;

  @TempDir Path directory;
  private Path folder;
  private Path path;
  private Path made;
  private Path archive;
  private final Map<String, String> variables = new HashMap<>();

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
    made = directory.resolve("made");
    archive = Files.createFile(folder.resolve("lib/cairn-17.0.15.jsa"));
    java("17.0.15");
  }

  private void java(String version) throws IOException {
    script(path.resolve("java"), JAVA.replace("VERSION", version).replace("MADE", made.toString()));
  }

  @Test
  void javaIsAllThatItNeeds() throws Exception {
    Run run = run(folder.resolve("bin/cairn"), "list", "a store", "--job=x y");

    assertThat(run.err()).isEmpty();
    assertThat(run.arguments()).containsExactly("<list>", "<a store>", "<--job=x y>");
    assertThat(run.classPath()).isEqualTo("<" + folder + "/lib/*>");
    assertThat(run.out()).contains("<-XX:SharedArchiveFile=" + folder + "/lib/cairn-17.0.15.jsa>");
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
    variables.put("CAIRN_DL4J", "/their jars");
    assertThat(run(launcher, "import").classPath()).isEqualTo(own + "/their jars/*>");
    assertThat(run(launcher, "import", "--dl4j", "/a b", "x").classPath())
        .isEqualTo(own + "/a b/*>");
    assertThat(run(launcher, "export", "x", "--dl4j=/c").classPath()).isEqualTo(own + "/c/*>");
    assertThat(run(launcher, "verify", "x").classPath()).doesNotContain("their jars");
  }

  @Test
  void hadoopsOwnFilesAreOnTheClassPath() throws Exception {
    variables.put("HADOOP_CONF_DIR", "/etc/my hadoop");

    Run run = run(folder.resolve("bin/cairn"), "list", "hdfs:///store");

    assertThat(run.classPath()).isEqualTo("<" + folder + "/lib/*:/etc/my hadoop>");
    assertThat(run.out()).contains("<-XX:SharedArchiveFile=" + archive + ">");
  }

  @Test
  void anOptionBeforeTheCommandChangesNothing() throws Exception {
    Run run = run(folder.resolve("bin/cairn"), "--verbose", "export", "--dl4j", "/a b");

    assertThat(run.arguments()).containsExactly("<--verbose>", "<export>", "<--dl4j>", "</a b>");
    assertThat(run.classPath()).isEqualTo("<" + folder + "/lib/*:/a b/*>");
    assertThat(run.out()).doesNotContain("<-XX:TieredStopAtLevel=1>");
    assertThat(run(folder.resolve("bin/cairn"), "--verbose", "list").out())
        .contains("<-XX:TieredStopAtLevel=1>");
  }

  /** Java does not start with two. */
  @Test
  void aCollectorOfTheUsersComesAlone() throws Exception {
    Path launcher = folder.resolve("bin/cairn");
    for (String command : List.of("list", "export")) {
      assertThat(run(launcher, command).out()).contains("<-XX:+UseSerialGC>");
    }
    for (String variable :
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CAIRN_JAVA_OPTS")) {
      variables.clear();
      variables.put(variable, "-Xmx1g -XX:+UseG1GC");
      for (String command : List.of("list", "export")) {
        assertThat(run(launcher, command).out()).as(variable).doesNotContain("<-XX:+UseSerialGC>");
      }
    }
  }

  @Test
  void aFolderThatNoClassPathCanNameIsRefused() throws Exception {
    Path moved = directory.resolve("my:folder/bin/cairn");
    script(moved, Files.readString(LAUNCHER));

    Run run = run(moved, "list");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("cairn: " + directory.toRealPath() + "/my:folder has a colon");
  }

  @Test
  void theFirstStartMakesTheArchiveForAllUsers() throws Exception {
    Files.delete(archive);

    assertThat(run(folder.resolve("bin/cairn"), "list").out())
        .noneMatch(word -> word.startsWith("<-XX:SharedArchiveFile"));
    await(() -> Files.exists(archive) && Files.notExists(making()));

    assertThat(Files.getPosixFilePermissions(archive))
        .contains(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
    assertThat(run(folder.resolve("bin/cairn"), "list").out())
        .contains("<-XX:SharedArchiveFile=" + archive + ">");
    assertThat(made).hasContent("made");
  }

  @Test
  void anArchiveOlderThanAJarOrTheJavaIsMadeAgain() throws Exception {
    Path home = directory.resolve("jdk");
    Path release = Files.createDirectories(home).resolve("release");
    Files.writeString(release, "IMPLEMENTOR=\"N/A\"\nJAVA_VERSION=\"17.0.15\"\n");
    path = home.resolve("bin");
    java("8"); // its file says otherwise, and it is not asked
    Path jar = Files.createFile(folder.resolve("lib/cairn-cli.jar"));
    for (Path newer : List.of(release, jar)) {
      age(archive, Duration.ofHours(1));
      age(release, Duration.ofHours(2));
      age(jar, Duration.ofHours(2));
      Run unused = run(folder.resolve("bin/cairn"), "list");
      assertThat(making()).as("older than both").doesNotExist();
      String before = Files.readString(archive);
      age(newer, Duration.ZERO);

      unused = run(folder.resolve("bin/cairn"), "list");

      await(() -> !Files.readString(archive).equals(before) && Files.notExists(making()));
    }
    assertThat(made).hasContent("made\nmade");
  }

  @Test
  void anotherJavaHasAnArchiveOfItsOwn() throws Exception {
    java("17.0.16");

    Run unused = run(folder.resolve("bin/cairn"), "list");

    await(() -> Files.exists(folder.resolve("lib/cairn-17.0.16.jsa")));
    assertThat(archive).exists();
  }

  /** Such as of the same folder in two containers. */
  @Test
  void oneStartAloneMakesTheArchive() throws Exception {
    Files.delete(archive);
    Files.createDirectory(making());
    Run unused = run(folder.resolve("bin/cairn"), "list");
    assertThat(made).doesNotExist();

    age(making(), Duration.ofDays(2)); // its machine was switched off
    unused = run(folder.resolve("bin/cairn"), "list");

    await(() -> Files.exists(archive) && Files.notExists(making()));
  }

  @Test
  void aJavaThatCannotMakeTheArchiveTriesOnceADay() throws Exception {
    Files.delete(archive);
    Files.createFile(made.resolveSibling("made.broken"));
    for (int start = 0; start < 5; start++) {
      assertThat(run(folder.resolve("bin/cairn"), "list").exitCode()).isZero();
      assertThat(making()).isEmptyDirectory();
    }
    await(() -> Files.exists(made) && Files.size(made) > 0);

    assertThat(made).hasContent("made");
    assertThat(archive).doesNotExist();
  }

  private Path making() {
    return archive.resolveSibling(archive.getFileName() + ".making");
  }

  private static void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  /** The archive is made beside the command. */
  private static void await(Condition condition) throws IOException {
    while (!condition.holds()) {
      Thread.onSpinWait();
    }
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
    Command command = Command.of(words).directory(directory).outputTo(out).errorsTo(err);
    for (String empty : List.of("JAVA_HOME", "CAIRN_DL4J", "JAVA_TOOL_OPTIONS")) {
      command = command.environment(empty, "");
    }
    command = command.environment("PATH", path.toString());
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      command = command.environment(variable.getKey(), variable.getValue());
    }
    int exitCode;
    try (ChildProcess process = command.start()) {
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
