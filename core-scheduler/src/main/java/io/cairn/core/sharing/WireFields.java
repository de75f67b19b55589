package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** What the messages of {@link SharingWire} are made of. */
final class WireFields {
  private static final int VERSION = 1;
  private static final int LONGEST_TEXT = 4000;

  private WireFields() {}

  interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  interface Parser<T> {
    T read(DataInputStream in) throws IOException;
  }

  interface Writer<T> {
    void write(DataOutputStream out, T entry) throws IOException;
  }

  static void writeId(DataOutputStream out, int kind, LeaseId id) throws IOException {
    out.writeByte(kind);
    out.writeUTF(id.holder());
    out.writeLong(id.nonce());
    writeCheckpoint(out, id.checkpoint());
    out.writeInt(id.rank());
  }

  static LeaseId readId(DataInputStream in) throws IOException {
    return new LeaseId(in.readUTF(), in.readLong(), readCheckpoint(in), in.readInt());
  }

  static void writeCheckpoint(DataOutputStream out, CheckpointId id) throws IOException {
    out.writeUTF(id.group().job());
    out.writeUTF(id.group().group());
    out.writeLong(id.epoch());
    out.writeLong(id.iteration());
  }

  static CheckpointId readCheckpoint(DataInputStream in) throws IOException {
    return new CheckpointId(new GroupId(in.readUTF(), in.readUTF()), in.readLong(), in.readLong());
  }

  static void writeChunk(DataOutputStream out, FilledChunk chunk) throws IOException {
    out.writeInt(chunk.position());
    out.writeInt(chunk.chunk());
    out.writeInt(chunk.bytes());
    out.writeInt(chunk.checksum());
  }

  static FilledChunk readChunk(DataInputStream in) throws IOException {
    return new FilledChunk(in.readInt(), in.readInt(), in.readInt(), in.readInt());
  }

  static List<Integer> readNumbers(DataInputStream in) throws IOException {
    return readList(in, Integer.BYTES, DataInputStream::readInt);
  }

  static <T> void writeList(DataOutputStream out, List<T> list, Writer<T> writer)
      throws IOException {
    out.writeInt(list.size());
    for (T entry : list) {
      writer.write(out, entry);
    }
  }

  /** The bytes at hand bound the list before it is made. */
  static <T> List<T> readList(DataInputStream in, int leastBytes, Parser<T> parser)
      throws IOException {
    int entries = in.readInt();
    if (entries < 0 || entries > in.available() / leastBytes) {
      throw new IOException("a list of %d entries in %d bytes".formatted(entries, in.available()));
    }
    List<T> list = new ArrayList<>(entries);
    for (int i = 0; i < entries; i++) {
      list.add(parser.read(in));
    }
    return list;
  }

  /** Reasons are for people; {@code writeUTF} takes at most 65 535 bytes. */
  static void writeText(DataOutputStream out, String text) throws IOException {
    out.writeUTF(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…");
  }

  static byte[] encoding(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static <T> T decoding(byte[] bytes, Parser<T> parser) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("version " + version + ", this is " + VERSION);
      }
      T message = parser.read(in);
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return message;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no message about sharing of this version (%d bytes): %s"
              .formatted(bytes.length, e.getMessage()),
          e);
    }
  }
}
