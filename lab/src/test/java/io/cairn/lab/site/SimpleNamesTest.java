package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A reader who meets a simple name in a text, a stack or an import knows which class it means. */
class SimpleNamesTest {
  private static final String SOURCES = "src/main/java";

  @Test
  void eachSimpleNameExistsOnce() throws IOException {
    Map<String, List<String>> byName = new TreeMap<>();
    for (Path file : classes()) {
      byName
          .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
          .add(file.toString());
    }
    assertThat(byName).hasSizeGreaterThan(1000);
    byName.values().removeIf(files -> files.size() == 1);

    assertThat(byName).as("main classes that share their simple name").isEmpty();
  }

  private static List<Path> classes() throws IOException {
    List<Path> roots;
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      roots = modules.map(module -> module.resolve(SOURCES)).filter(Files::isDirectory).toList();
    }
    List<Path> classes = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("package-info.java"))
            .forEach(classes::add);
      }
    }
    return classes;
  }
}
