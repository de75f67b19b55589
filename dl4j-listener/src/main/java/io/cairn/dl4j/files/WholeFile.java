package io.cairn.dl4j.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Publishes a file when all of it is written. Stateless. */
final class WholeFile {
  private WholeFile() {}

  /** Writes a file that does not exist yet. */
  @FunctionalInterface
  interface Content {
    /** Writes all of it. */
    void write(Path file) throws IOException;
  }

  /**
   * Writes beside {@code file} under another name, forces the bytes, and moves it there. Replaces
   * an older file. After a failure {@code file} is as it was.
   */
  static void publish(Path file, Content content) throws IOException {
    Path target = file.toAbsolutePath();
    Path name = target.getFileName();
    Path directory = target.getParent();
    if (name == null || directory == null || Files.isDirectory(target)) {
      throw new IOException(file + " is a directory: name a file in it");
    }
    Files.createDirectories(directory);
    Path written = Files.createTempFile(directory, "." + name, ".part");
    try {
      content.write(written);
      try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
