package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system in memory, mounted for one test; only root may, so others skip the test. */
final class ScratchMount implements AutoCloseable {
  private final Path directory;

  private ScratchMount(Path directory) {
    this.directory = directory;
  }

  /** Mounts one mebibyte on an existing directory. */
  static ScratchMount mount(Path directory) throws IOException {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory.toString()),
        "mounting is not permitted here");
    return new ScratchMount(directory);
  }

  Path directory() {
    return directory;
  }

  void makeReadOnly() throws IOException {
    assertThat(run("mount", "-o", "remount,ro", directory.toString())).isTrue();
  }

  /** Takes the last byte. */
  void fill() throws IOException {
    Path filler = directory.resolve("filler");
    try (var out = Files.newOutputStream(filler)) {
      byte[] page = new byte[4096];
      for (int i = 0; i < 1024; i++) {
        out.write(page);
      }
      throw new AssertionError(directory + " is larger than it should be");
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Override
  public void close() throws IOException {
    assertThat(run("umount", directory.toString())).isTrue();
  }

  private static boolean run(String... command) throws IOException {
    try {
      return Command.of(command).withoutErrors().run() == 0;
    } catch (IOException e) {
      return false; // no such program
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + List.of(command), e);
    }
  }
}
