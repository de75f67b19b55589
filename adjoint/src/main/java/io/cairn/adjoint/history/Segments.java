package io.cairn.adjoint.history;

import io.cairn.Level;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The files below the device, in chunks. A file is made when its first chunk is written, and used
 * again until the end: fresh pages cost more than the copy. Thread-safe for different chunks.
 */
final class Segments implements Shelf {
  private final Path directory;
  private final FileChannel lock;
  private final @Nullable Journal journal;
  private final int chunkBytes;
  private final int chunksPerFile;
  private final AtomicReferenceArray<@Nullable FileChannel> files;

  /**
   * Opens the directory.
   *
   * @param keeps whether the states outlive the process
   * @throws IOException naming the directory, if another history has it or it cannot be used
   */
  Segments(HistorySettings settings, boolean keeps) throws IOException {
    directory = Files.createDirectories(settings.directory());
    lock =
        DirectoryLock.take(
            directory.resolve("lock"),
            directory + " belongs to another history: give each its own directory");
    chunkBytes = settings.chunkBytes();
    chunksPerFile = HistorySettings.SEGMENT_BYTES / chunkBytes;
    files = new AtomicReferenceArray<>(settings.fileChunks() / chunksPerFile + 1);
    try {
      if (!keeps && Files.exists(directory.resolve("journal"))) {
        throw new IOException(
            directory
                + " has the states of a run that did not end: go on by History.resume, or remove"
                + " them by its delete");
      }
      journal = keeps ? Journal.open(settings) : null;
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return "files";
  }

  @Override
  public Level level() {
    return Level.NODE;
  }

  @Override
  public void write(int chunk, ByteBuffer bytes) throws IOException {
    FileChannel file = file(chunk);
    long at = (long) (chunk % chunksPerFile) * chunkBytes;
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
  }

  @Override
  public void read(int chunk, ByteBuffer into) throws IOException {
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

  @Override
  public boolean follows(int chunk, int next) {
    return next == chunk + 1 && next % chunksPerFile != 0;
  }

  private FileChannel file(int chunk) throws IOException {
    int number = chunk / chunksPerFile;
    FileChannel open = files.get(number);
    if (open != null && open.isOpen()) { // an interrupted reader closes it
      return open;
    }
    synchronized (this) {
      FileChannel now = files.get(number);
      if (now == null || !now.isOpen()) {
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
    return directory.resolve(String.format(Locale.ROOT, "states-%05d", number));
  }

  @Override
  public void begin(State state) throws IOException {
    if (journal != null) {
      journal.begin(state);
    }
  }

  @Override
  public void end(State state) throws IOException {
    if (journal != null) {
      journal.end(state);
    }
  }

  @Override
  public List<State> found() {
    return journal == null ? List.of() : journal.states();
  }

  @Override
  public void forget(State state) throws IOException {
    if (journal != null) {
      journal.begin(state);
    }
  }

  @Override
  public void clear() throws IOException {
    if (journal != null) {
      journal.clear();
    }
  }

  /**
   * Removes the files, while it has their lock. The lock's own file stays: another history may have
   * opened it already.
   */
  @Override
  public void delete() throws IOException {
    for (int i = 0; i < files.length(); i++) {
      Files.deleteIfExists(path(i));
    }
    if (journal != null) {
      journal.delete();
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
    if (journal != null) {
      journal.close();
    }
    lock.close();
  }
}
