package io.cairn.cache.history;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The files below the device, in chunks. A file is made when its first chunk is written, and used
 * again until the end: fresh pages cost more than the copy. Thread-safe for different chunks.
 */
final class Segments implements AutoCloseable {
  private final Path directory;
  private final int chunkBytes;
  private final int chunksPerFile;
  private final AtomicReferenceArray<@Nullable FileChannel> files;

  Segments(HistorySettings settings) throws IOException {
    directory = Files.createDirectories(settings.directory());
    chunkBytes = settings.chunkBytes();
    chunksPerFile = HistorySettings.SEGMENT_BYTES / chunkBytes;
    files = new AtomicReferenceArray<>(settings.fileChunks() / chunksPerFile + 1);
  }

  /** Writes whole chunks, the first to this place, each of the others behind it. */
  void write(int chunk, ByteBuffer bytes) throws IOException {
    FileChannel file = file(chunk);
    long at = (long) (chunk % chunksPerFile) * chunkBytes;
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
  }

  /** Fills the buffer with the bytes that were written from a chunk on. */
  void read(int chunk, ByteBuffer into) throws IOException {
    FileChannel file = file(chunk);
    long at = (long) (chunk % chunksPerFile) * chunkBytes;
    while (into.hasRemaining()) {
      int read = file.read(into, at);
      if (read < 0) {
        throw new EOFException(path(chunk / chunksPerFile) + " ends at " + at);
      }
      at += read;
    }
  }

  /** Whether one buffer may hold both chunks: the second follows the first in one file. */
  boolean follows(int chunk, int next) {
    return next == chunk + 1 && next % chunksPerFile != 0;
  }

  private FileChannel file(int chunk) throws IOException {
    int number = chunk / chunksPerFile;
    FileChannel open = files.get(number);
    if (open != null) {
      return open;
    }
    synchronized (this) {
      FileChannel now = files.get(number);
      if (now == null) {
        now =
            FileChannel.open(
                path(number),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        files.set(number, now);
      }
      return now;
    }
  }

  private Path path(int number) {
    return directory.resolve("states-%05d".formatted(number));
  }

  /** Removes the files. */
  void delete() throws IOException {
    for (int i = 0; i < files.length(); i++) {
      Files.deleteIfExists(path(i));
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < files.length(); i++) {
      FileChannel file = files.getAndSet(i, null);
      if (file != null) {
        file.close();
      }
    }
  }
}
