package io.cairn.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  /** Prints its arguments, then repeats its input. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws Exception {
      System.err.println("an error");
      System.out.println("arguments " + String.join(",", arguments));
      System.in.transferTo(System.out);
    }
  }

  @Test
  void linesGoBothWays() throws Exception {
    try (ChildProcess child = Command.java(Echo.class, "a b", 7).small(32).start()) {
      assertThat(child.await("arguments ")).isEqualTo("a b,7");

      child.send("one", 1);
      child.send("two");
      child.endInput();

      assertThat(child.await("one ")).isEqualTo("1");
      assertThat(child.rest()).containsExactly("two");
      assertThat(child.exitStatus()).isZero();
    }
  }

  @Test
  void aMissingLineIsReportedWithTheLastOnes() throws Exception {
    try (ChildProcess child = Command.java(Echo.class).small(32).withErrorsInOutput().start()) {
      child.send("last words");
      child.endInput();

      assertThatIOException()
          .isThrownBy(() -> child.await("never"))
          .withMessageContainingAll("Echo", "ended", "'never...'", "an error", "last words");
    }
  }

  @Test
  void linesBeforeAKillCanStillBeRead() throws Exception {
    try (ChildProcess child = Command.java(Echo.class).small(32).start()) {
      child.await("arguments ");
      child.send("kept");
      assertThat(child.line(ChildProcess.PATIENCE)).contains("kept");
      child.send("also kept");
      child.stop();
      child.resume();
      assertThat(child.line(ChildProcess.PATIENCE)).contains("also kept");

      child.kill();

      assertThat(child.isAlive()).isFalse();
      assertThat(child.rest()).isEmpty();
      assertThat(ChildProcess.signal("CONT", child.pid())).isFalse();
    }
  }

  @Test
  void aChildIsKilledWithItsDescendants() throws Exception {
    try (ChildProcess child = Command.of("sh", "-c", "sleep 600 & echo $!; wait").start()) {
      long grandchild = Long.parseLong(child.await(""));

      child.killTree();

      assertThat(ProcessHandle.of(grandchild).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void theEndOfItsInputEndsAChildInOrder() throws Exception {
    ChildProcess child = Command.java(Echo.class).small(32).start();

    child.end(ChildProcess.PATIENCE);

    assertThat(child.exitStatus()).isZero();
  }

  @Test
  void outputAndErrorsGoToAFile(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("log");
    Command command =
        Command.of("sh", "-c", "echo $KIND in $PWD; echo wrong >&2")
            .environment("KIND", "output")
            .directory(directory)
            .withErrorsInOutput()
            .outputTo(log);

    try (ChildProcess child = command.start()) {
      assertThat(child.waitFor(Duration.ofMinutes(1))).isTrue();
      assertThat(child.outputEnded()).isTrue();
    }

    assertThat(Files.readAllLines(log))
        .isEqualTo(List.of("output in " + directory.toRealPath(), "wrong"));
  }
}
