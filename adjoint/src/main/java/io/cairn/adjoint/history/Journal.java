package io.cairn.adjoint.history;

import io.cairn.core.model.OpenParts;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
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
  private static final int MAGIC = 0x43484a32; // CHJ2
  private static final int HEADER_BYTES = 8;
  private static final long LEAST_TO_SHORTEN_BYTES = 16 << 20;

  /** Opens a file of a journal. */
  interface Opening {
    FileChannel open(Path path) throws IOException;
  }

  private final Path path;
  private final Opening opening;
  private final int chunkBytes;
  private FileChannel file;
  private final JournalStates states;
  private final CRC32C crc = new CRC32C();
  private ByteBuffer record = ByteBuffer.allocate(64 << 10);

  /** Of the header and all whole records. */
  private long bytes;

  /** Whether it ends with a part of a record, which would hide all behind it. */
  private boolean cut;

  private Journal(
      Path path, Opening opening, FileChannel file, JournalStates states, int chunkBytes) {
    this.path = path;
    this.opening = opening;
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
      Journal journal = new Journal(path, opening, file, states, settings.chunkBytes());
      journal.cutAt(journal.replay());
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
    if (bytes > LEAST_TO_SHORTEN_BYTES && bytes > 4 * states.bytes()) {
      shorten();
    }
  }

  /** Appends a record whole, or nothing. */
  private void append(State state, boolean whole) throws IOException {
    if (!file.isOpen()) { // an interrupted writer closed it
      cutAt(bytes);
    }
    if (cut) {
      throw new IOException(path + " ends with a record that was cut, and takes no other");
    }
    try {
      writeRecord(state, whole);
      bytes = file.position();
    } catch (IOException e) {
      rewind(e);
      throw e;
    }
  }

  private void rewind(IOException failure) {
    try {
      cutAt(bytes);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Ends the file after so many bytes, or after a new header. */
  private void cutAt(long length) throws IOException {
    cut = true;
    if (!file.isOpen()) {
      file = opening.open(path);
    }
    file.truncate(length).position(length);
    if (length == 0) {
      writeHeader();
    }
    bytes = file.position();
    cut = false;
  }

  private void writeRecord(State state, boolean whole) throws IOException {
    int length = StateRecord.bytes(state);
    clearRecord(length);
    StateRecord.put(record, state, whole, IntUnaryOperator.identity());
    record.putInt(checksum(record, length - 4)).flip();
    write(record);
  }

  private void clearRecord(int length) {
    if (record.capacity() < length) {
      record = ByteBuffer.allocate(Math.max(length, 2 * record.capacity()));
    }
    record.clear();
  }

  /** Of so many bytes from the beginning. */
  private int checksum(ByteBuffer of, int length) {
    crc.reset();
    crc.update(of.slice(0, length));
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
    long left = file.size();
    try (InputStream found = Files.newInputStream(path);
        DataInputStream in = new DataInputStream(new BufferedInputStream(found))) {
      if (left < HEADER_BYTES || in.readInt() != MAGIC || in.readInt() != chunkBytes) {
        return 0;
      }
      left -= HEADER_BYTES;
      while (left >= 4) {
        int length = in.readInt();
        if (length > left) {
          break;
        } else if (length < StateRecord.LEAST_BYTES || !reads(length, in)) {
          states.clear();
          return 0;
        }
        left -= length;
      }
    }
    return file.size() - left;
  }

  /** Reads a record behind its length; whether it makes sense. */
  private boolean reads(int length, DataInputStream in) throws IOException {
    clearRecord(length);
    in.readFully(record.putInt(length).array(), 4, length - 4);
    return checksum(record, length - 4) == record.getInt(length - 4)
        && states.read(record.slice(0, length - 4));
  }

  /** Writes a journal of the states of now alone, and puts it in the place of this one. */
  private void shorten() throws IOException {
    Path next = path.resolveSibling("journal.next");
    FileChannel old = file;
    FileChannel shorter = open(next);
    try {
      shorter.truncate(0);
      file = shorter;
      writeHeader();
      List<State> whole = new ArrayList<>(states.all());
      for (State state : whole) {
        writeRecord(state, true);
      }
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      old.close();
    } catch (IOException | RuntimeException e) {
      file = old;
      shorter.close();
      throw e;
    }
    bytes = file.position();
  }

  /** Forgets all states; none is being written. */
  synchronized void clear() throws IOException {
    states.clear();
    bytes = 0;
    cutAt(0);
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
