package io.cairn.core.wire;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Digest;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the fields of one message, as {@link FieldWriter} wrote them, from bytes that may be
 * anything: no list makes more room than the bytes or its bound allow. Knows no message: kinds and
 * the order of the fields are its callers'. Reads one version only; both ends run the same, since
 * one application ships both. Not thread-safe; one per message.
 */
final class FieldReader extends DataInputStream {
  /** Entries of a list that is bounded by their number. */
  private static final int MAX_ENTRIES = 100_000;

  /** Reads one entry, or one message after its version. */
  @FunctionalInterface
  interface Parser<T> {
    /**
     * Reads it, field by field.
     *
     * @throws IOException saying what is wrong with the bytes
     */
    T read(FieldReader in) throws IOException;
  }

  private FieldReader(byte[] bytes) {
    super(new ByteArrayInputStream(bytes));
  }

  /**
   * The message in {@code bytes}, all of them.
   *
   * @param refusal begins what is said of bytes that are no such message
   * @throws IllegalArgumentException with the refusal, how many bytes there are and what is wrong
   *     with them
   */
  static <T> T decode(byte[] bytes, int version, String refusal, Parser<T> message) {
    try (FieldReader in = new FieldReader(bytes)) {
      int found = in.readUnsignedByte();
      if (found != version) {
        throw new IOException("version " + found + ", this is " + version);
      }
      T read = message.read(in);
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return read;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          refusal + " (" + bytes.length + " bytes): " + e.getMessage(), e);
    }
  }

  /**
   * A list of at most {@value #MAX_ENTRIES} entries. Room is made for them as they are read, so a
   * length that lies costs nothing.
   */
  <T> List<T> readList(Parser<T> entry) throws IOException {
    int entries = readInt();
    if (entries < 0 || entries > MAX_ENTRIES) {
      throw new IOException("a list of " + entries + " entries");
    }
    return entries(entries, new ArrayList<>(), entry);
  }

  /**
   * A list of as many entries as there are bytes for.
   *
   * @param leastBytes that one entry takes
   */
  <T> List<T> readListWithin(int leastBytes, Parser<T> entry) throws IOException {
    int entries = readInt();
    if (entries < 0 || entries > available() / leastBytes) {
      throw new IOException("a list of %d entries in %d bytes".formatted(entries, available()));
    }
    return entries(entries, new ArrayList<>(entries), entry);
  }

  private <T> List<T> entries(int count, List<T> list, Parser<T> entry) throws IOException {
    for (int i = 0; i < count; i++) {
      list.add(entry.read(this));
    }
    return list;
  }

  /** What may be missing. */
  <T> Optional<T> readOptional(Parser<T> entry) throws IOException {
    return readBoolean() ? Optional.of(entry.read(this)) : Optional.empty();
  }

  /** Which checkpoint is meant. */
  CheckpointId readCheckpoint() throws IOException {
    return new CheckpointId(new GroupId(readUTF(), readUTF()), readLong(), readLong());
  }

  /**
   * A level, by its name.
   *
   * @throws IllegalArgumentException if there is no such level
   */
  Level readLevel() throws IOException {
    return Level.valueOf(readUTF());
  }

  /**
   * A digest.
   *
   * @throws IllegalArgumentException if the text is none
   */
  Digest readDigest() throws IOException {
    return new Digest(readUTF());
  }

  /** An ancestry, of a bounded number of steps. */
  Ancestry readAncestry() throws IOException {
    return new Ancestry(readList(in -> new Ancestry.Step(in.readLong(), in.readLong())));
  }
}
