package io.cairn.core.wire;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Holder;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the fields of one message as {@link FieldWriter} wrote them. The bytes may be anything: no
 * field takes more memory than a small multiple of the bytes that are left. Reads one version only;
 * both ends run the same, since one application ships both. Not thread-safe; one per message.
 */
final class FieldReader extends DataInputStream {
  private final byte[] bytes;

  /** Reads one entry, or one message after its version. */
  @FunctionalInterface
  interface Parser<T> {
    /**
     * Reads the entry, field by field.
     *
     * @throws IOException with what is wrong with the bytes
     * @throws IllegalArgumentException if a field is out of its range
     */
    T read(FieldReader in) throws IOException;
  }

  private FieldReader(byte[] bytes) {
    super(new ByteArrayInputStream(bytes));
    this.bytes = bytes;
  }

  /**
   * The message in {@code bytes}, all of them.
   *
   * @param noun names the message in the refusal, with its article
   * @throws IllegalArgumentException with the noun, the offset, the length and the reason, if the
   *     bytes are no such message
   */
  static <T> T decode(byte[] bytes, int version, String noun, Parser<T> message) {
    FieldReader in = new FieldReader(bytes);
    try {
      int found = in.readUnsignedByte();
      if (found != version) {
        throw new IOException("version " + found + ", this is " + version);
      }
      T read = message.read(in);
      if (in.available() > 0) {
        throw new IOException("bytes left over");
      }
      return read;
    } catch (EOFException e) {
      throw in.refusal(noun, "the message ends within a field", e);
    } catch (IOException | IllegalArgumentException e) {
      throw in.refusal(noun, String.valueOf(e.getMessage()), e);
    }
  }

  private IllegalArgumentException refusal(String noun, String reason, Exception cause) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "not %s (offset %d of %d bytes): %s",
            noun,
            offset(),
            bytes.length,
            reason),
        cause);
  }

  private int offset() {
    return bytes.length - available();
  }

  /** Bytes that are not read yet. */
  @Override
  public int available() {
    try {
      return super.available();
    } catch (IOException e) {
      throw new AssertionError("bytes in memory cannot fail", e);
    }
  }

  /**
   * The length of a list.
   *
   * @param leastBytes that one entry takes, at least 1
   * @throws IOException if the bytes that are left cannot hold so many entries
   */
  int readCount(int leastBytes) throws IOException {
    int entries = readInt();
    if (entries < 0 || entries > available() / leastBytes) {
      throw new IOException(
          String.format(Locale.ROOT, "a list of %d entries in %d bytes", entries, available()));
    }
    return entries;
  }

  /** A list. Room is made as entries are read, so a length that lies costs nothing. */
  <T> List<T> readList(Parser<T> entry) throws IOException {
    int entries = readCount(1);
    List<T> list = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      list.add(entry.read(this));
    }
    return list;
  }

  /** An optional entry. */
  <T> Optional<T> readOptional(Parser<T> entry) throws IOException {
    return readBoolean() ? Optional.of(entry.read(this)) : Optional.empty();
  }

  /** Opaque bytes: a view of the message, which is not copied. */
  ByteBuffer readBytes() throws IOException {
    int length = readCount(1);
    ByteBuffer view = ByteBuffer.wrap(bytes, offset(), length).slice();
    skipNBytes(length);
    return view;
  }

  /** A group's name. */
  GroupId readGroup() throws IOException {
    return new GroupId(readUTF(), readUTF());
  }

  /** A checkpoint's id. */
  CheckpointId readCheckpoint() throws IOException {
    return new CheckpointId(readGroup(), readLong(), readLong());
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

  /** An ancestry. */
  Ancestry readAncestry() throws IOException {
    return new Ancestry(readList(in -> new Ancestry.Step(in.readLong(), in.readLong())));
  }

  private Fingerprint readFingerprint() throws IOException {
    SortedMap<String, String> entries = new TreeMap<>();
    for (int left = readCount(2 * Short.BYTES); left > 0; left--) {
      entries.put(readUTF(), readUTF());
    }
    return new Fingerprint(entries);
  }

  /** A container's entry in a manifest. */
  ContainerSummary readContainer() throws IOException {
    return new ContainerSummary(
        readUTF(),
        readLong(),
        readDigest(),
        readList(FieldReader::readInt),
        readList(FieldReader::readHolder),
        readFingerprint());
  }

  private Holder readHolder() throws IOException {
    return new Holder(readLong(), readLong(), readUTF(), readLong(), readDigest());
  }
}
