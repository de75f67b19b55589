package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildTest {
  private static final long PATIENCE_SECONDS = 60;

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
  void commandsAreAnsweredInOrderAndFailuresTold() throws Exception {
    try (Child child = Child.start("echo", List.of(), Echo.class, List.of("-Xmx64m"), List.of())) {
      child.say("one", 1);
      child.say("two", 2.5);
      assertThat(child.await(PATIENCE_SECONDS)).isEqualTo("one-1");
      assertThat(child.await(PATIENCE_SECONDS)).isEqualTo("two-2.5");
      child.say("fail", "asked");
      assertThatIOException()
          .isThrownBy(() -> child.await(PATIENCE_SECONDS))
          .withMessageContaining("process echo")
          .withMessageContaining("as asked");
      child.say("three");
      assertThat(child.await(PATIENCE_SECONDS)).isEqualTo("three");
      child.say("end");
      assertThatIOException()
          .isThrownBy(() -> child.await(PATIENCE_SECONDS))
          .withMessageContaining("ended")
          .withMessageContaining("the last words");
    }
  }
}
