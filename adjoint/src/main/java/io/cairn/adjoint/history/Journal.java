package io.cairn.adjoint.history;

import io.cairn.core.model.OpenParts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32C;

/**
 * Which states lie in the files, for the process after this one. A record is appended before a
 * state is written, and another one afterwards. The first ends all states whose chunks it takes, so
 * no record ever names chunks that hold other bytes. A kill may cut the last record, which then
 * counts as not written. A record that fails, as on a full disk, is removed again. Thread-safe: one
 * thread writes states, and another one forgets what it cannot read.
 */
final class Journal implements Closeable {
  private static final int MAGIC = 0x43484a31; // CHJ1
  private static final int HEADER_BYTES = 8;
  private static final long LEAST_TO_SHORTEN_BYTES = 16 << 20;

  /** Opens a file of a journal. */
  interface Opening {
    FileChannel open(Path path) throws IOException;
  }

  private final Path path;
  private final int chunkBytes;
  private FileChannel file;
  private final JournalStates states;
  private final CRC32C crc = new CRC32C();
  private ByteBuffer record = ByteBuffer.allocate(64 << 10);

  /** Whether it ends with a part of a record, which would hide all behind it. */
  private boolean cut;

  private Journal(Path path, FileChannel file, JournalStates states, int chunkBytes) {
    this.path = path;
    this.chunkBytes = chunkBytes;
    this.file = file;
    this.states = states;
  }

  /**
   * Reads what an earlier process left, and goes on from there.
   *
   * @throws IOException if the directory cannot be read or written
   */
  static Journal open(HistorySettings settings) throws IOException {
    return open(settings, Journal::open);
  }

  /** Like the other, in a file that is opened so. */
  static Journal open(HistorySettings settings, Opening opening) throws IOException {
    Path path = Files.createDirectories(settings.directory()).resolve("journal");
    JournalStates states = new JournalStates(settings);
    try (OpenParts open = new OpenParts()) {
      FileChannel file = open.add(opening.open(path));
      Journal journal = new Journal(path, file, states, settings.chunkBytes());
      long end = journal.replay();
      file.truncate(end).position(end);
      if (end == 0) {
        journal.writeHeader();
      }
      return open.keep(journal);
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Copies of the states that lie in the files whole. */
  synchronized List<State> states() {
    return states.all().stream().map(states::copy).toList();
  }

  /** A state will be written to its chunks, or cannot be read there. */
  synchronized void begin(State state) throws IOException {
    states.begin(state);
    append(state, false);
  }

  /** A state was written. */
  synchronized void end(State state) throws IOException {
    states.end(state);
    append(state, true);
    if (file.position() > LEAST_TO_SHORTEN_BYTES && file.position() > 4 * states.bytes()) {
      shorten();
    }
  }

  /** Appends a record whole, or nothing. */
  private void append(State state, boolean whole) throws IOException {
    if (cut) {
      throw new IOException(path + " ends with a record that was cut, and takes no other");
    }
    long end = file.position();
    try {
      writeRecord(state, whole);
    } catch (IOException e) {
      rewind(end, e);
      throw e;
    }
  }

  private void rewind(long end, IOException failure) {
    try {
      file.truncate(end).position(end);
    } catch (IOException e) {
      cut = true;
      failure.addSuppressed(e);
    }
  }

  private void writeRecord(State state, boolean whole) throws IOException {
    int length = StateRecord.bytes(state);
    if (record.capacity() < length) {
      record = ByteBuffer.allocate(2 * length);
    }
    record.clear();
    StateRecord.put(record, state, whole, IntUnaryOperator.identity());
    record.putInt(checksum(record, 0, length - 4)).flip();
    write(record);
  }

  /** Of so many bytes from a place on. */
  private int checksum(ByteBuffer of, int from, int length) {
    crc.reset();
    crc.update(of.slice(from, length));
    return (int) crc.getValue();
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  private void writeHeader() throws IOException {
    write(ByteBuffer.allocate(HEADER_BYTES).putInt(MAGIC).putInt(chunkBytes).flip());
  }

  /**
   * The end of the last whole record. A kill cuts the last record at most. Of a journal that is
   * damaged elsewhere, or is of other chunks, no state counts, and the end is 0.
   */
  private long replay() throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
    if (all.remaining() < HEADER_BYTES || all.getInt() != MAGIC || all.getInt() != chunkBytes) {
      return 0;
    }
    while (all.remaining() >= 4 && all.getInt(all.position()) <= all.remaining()) {
      int start = all.position();
      int length = all.getInt(start);
      if (length < StateRecord.LEAST_BYTES
          || checksum(all, start, length - 4) != all.getInt(start + length - 4)
          || !states.read(all.slice(start, length - 4))) {
        states.clear();
        return 0;
      }
      all.position(start + length);
    }
    return all.position();
  }

  /** Writes a journal of the states of now alone, and puts it in the place of this one. */
  private void shorten() throws IOException {
    Path next = path.resolveSibling("journal.next");
    FileChannel old = file;
    long position = old.position();
    FileChannel shorter = open(next);
    try {
      shorter.truncate(0);
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
      old.read(header, 0);
      file = shorter;
      write(header.flip());
      List<State> whole = new ArrayList<>(states.all());
      for (State state : whole) {
        writeRecord(state, true);
      }
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      old.close();
    } catch (IOException | RuntimeException e) {
      file = old;
      file.position(position);
      shorter.close();
      throw e;
    }
  }

  /** Forgets all states; none is being written. */
  synchronized void clear() throws IOException {
    states.clear();
    cut = true;
    file.truncate(0).position(0);
    writeHeader();
    cut = false;
  }

  /** Removes the file. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
    Files.deleteIfExists(path.resolveSibling("journal.next"));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
