package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyApplication;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The application of the proofs as a user's jar. */
final class ToyJar {
  private ToyJar() {}

  /** Writes the classes of the application's package, and nothing else. */
  static void write(Path file) throws IOException {
    Path source =
        Path.of(ToyApplication.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    if (Files.isDirectory(source)) {
      write(file, source);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(source)) {
        write(file, jar.getPath("/"));
      }
    }
  }

  private static void write(Path file, Path root) throws IOException {
    Path folder = root.resolve(ToyApplication.class.getPackageName().replace('.', '/'));
    List<Path> classes;
    try (Stream<Path> files = Files.list(folder)) {
      classes = files.sorted().toList();
    }
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Path each : classes) {
        jar.putNextEntry(new JarEntry(root.relativize(each).toString()));
        Files.copy(each, jar);
      }
    }
  }
}
