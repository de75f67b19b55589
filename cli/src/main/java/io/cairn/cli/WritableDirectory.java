package io.cairn.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The path of a directory into which a command writes at its end, checked before its work begins as
 * {@link WritableFile} checks that of a file. Nothing is made. Stateless.
 */
public final class WritableDirectory implements ITypeConverter<Path> {
  /** Made by the command line. */
  public WritableDirectory() {}

  /**
   * A directory in which this user can write now, or can make one.
   *
   * @throws TypeConversionException naming what keeps it from being written
   */
  @Override
  public Path convert(String text) {
    Path directory = WritableFile.path(text, "directory");
    if (Files.isDirectory(directory)) {
      WritableFile.requireWritable(directory, text);
    } else if (Files.exists(directory)) {
      throw new TypeConversionException("'%s' is a file: name a directory".formatted(text));
    } else {
      WritableFile.requireDirectory(directory.toAbsolutePath().normalize(), text);
    }
    return directory;
  }
}
