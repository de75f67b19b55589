package io.cairn.cache.memory.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files that this process has mapped, as the system lists them. */
final class Mappings {
  private Mappings() {}

  /** The mappings of a file, also after its name was removed. */
  static List<String> of(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(file.toString())).toList();
    }
  }
}
