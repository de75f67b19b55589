package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.process.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Says things after each other, fails, or ends. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws IOException {
      Child.serve(System.in, System.out, Echo::handle);
    }

    private static String handle(List<String> words) throws IOException {
      if (words.get(0).equals("fail")) {
        throw new IOException("as " + words.get(1));
      } else if (words.get(0).equals("end")) {
        System.err.println("the last words");
        Runtime.getRuntime().halt(1);
      }
      System.out.println("a line that is no answer");
      return String.join("-", words);
    }
  }

  @Test
  void commandsAreAnsweredInOrderAndFailuresReported() throws Exception {
    try (Child child = Child.start(Command.java(Echo.class).small(64))) {
      child.send("one", 1);
      child.send("two", 2.5);
      assertThat(child.await(PATIENCE)).isEqualTo("one-1");
      assertThat(child.await(PATIENCE)).isEqualTo("two-2.5");
      child.send("fail", "asked");
      assertThatIOException()
          .isThrownBy(() -> child.await(PATIENCE))
          .withMessageContaining("Echo")
          .withMessageContaining("as asked");
      child.send("three");
      assertThat(child.await(PATIENCE)).isEqualTo("three");
      child.send("end");
      assertThatIOException()
          .isThrownBy(() -> child.await(PATIENCE))
          .withMessageContaining("ended")
          .withMessageContaining("the last words");
    }
  }
}
