package io.cairn.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The path of a file that a command writes at its end, checked before its work begins. Neither the
 * file nor a directory above it is made, and an older file stays as it is. Stateless.
 */
public final class WritableFile implements ITypeConverter<Path> {
  /** Made by the command line. */
  public WritableFile() {}

  /**
   * A path at which this user can write a file now.
   *
   * @throws TypeConversionException naming what keeps it from being written
   */
  @Override
  public Path convert(String text) {
    Path file = path(text, "file");
    if (Files.isDirectory(file)) {
      throw new TypeConversionException("'%s' is a directory: name a file in it".formatted(text));
    } else if (Files.exists(file)) {
      requireWritable(file, text);
    } else {
      requireDirectory(file.toAbsolutePath().normalize(), text);
    }
    return file;
  }

  /**
   * The path of a text.
   *
   * @param kind what the path is of, for the message
   */
  static Path path(String text, String kind) {
    if (text.isEmpty()) {
      throw new TypeConversionException("'' names no %s: give a path".formatted(kind));
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'%s' is no path: %s".formatted(text, e.getReason()));
    }
  }

  /** Missing directories are made when the file is written. */
  static void requireDirectory(Path file, String text) {
    Path above = file.getParent();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    if (above != null && !Files.isDirectory(above)) {
      throw new TypeConversionException(
          "'%s' cannot be written, since %s is no directory: give another path"
              .formatted(text, above));
    } else if (above != null) {
      requireWritable(above, text);
    }
  }

  static void requireWritable(Path place, String text) {
    if (!Files.isWritable(place)) {
      throw new TypeConversionException(
          "'%s' cannot be written, since this user may not write %s: give another path"
              .formatted(text, place));
    }
  }
}
