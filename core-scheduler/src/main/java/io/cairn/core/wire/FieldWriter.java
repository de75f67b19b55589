package io.cairn.core.wire;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Writes the fields of one message, for {@link FieldReader} to read back: numbers as {@link
 * DataOutputStream} does, and the values that messages share. Writes lists as long as they are,
 * since the reader bounds them; clips texts for people. Not thread-safe; one per message.
 */
final class FieldWriter extends DataOutputStream {
  /** Characters of a text for people; a longer one is clipped. */
  private static final int LONGEST_TEXT = 4000;

  private static final int USUAL_BYTES = 128;

  /** Writes one entry, or one message after its version. */
  @FunctionalInterface
  interface Body<T> {
    /** Writes the entry, field by field. */
    void write(FieldWriter out, T entry) throws IOException;
  }

  private FieldWriter(ByteArrayOutputStream bytes) {
    super(bytes);
  }

  /**
   * The bytes of a message: its version in one byte, then its body.
   *
   * @throws UncheckedIOException if a field cannot be written, such as a name of more than 65 535
   *     bytes
   */
  static <T> byte[] encode(int version, T message, Body<T> body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
    try (FieldWriter out = new FieldWriter(bytes)) {
      out.writeByte(version);
      body.write(out, message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes a text for people, clipped to 4 000 characters. */
  void writeText(String text) throws IOException {
    writeUTF(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…");
  }

  /** Writes a list: its length, then its entries. */
  <T> void writeList(List<T> list, Body<T> entries) throws IOException {
    writeInt(list.size());
    for (T entry : list) {
      entries.write(this, entry);
    }
  }

  /** Writes whether there is an entry, then the entry. */
  <T> void writeOptional(Optional<T> optional, Body<T> entry) throws IOException {
    writeBoolean(optional.isPresent());
    if (optional.isPresent()) {
      entry.write(this, optional.get());
    }
  }

  /**
   * Writes opaque bytes: their number, then all from the buffer's position to its limit.
   *
   * @param bytes of the heap; its position stays
   */
  void writeBytes(ByteBuffer bytes) throws IOException {
    writeInt(bytes.remaining());
    write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }

  /** Writes a group's name. */
  void writeGroup(GroupId group) throws IOException {
    writeUTF(group.job());
    writeUTF(group.group());
  }

  /** Writes a checkpoint's id. */
  void writeCheckpoint(CheckpointId id) throws IOException {
    writeGroup(id.group());
    writeLong(id.epoch());
    writeLong(id.iteration());
  }

  /** Writes a level by its name. */
  void writeLevel(Level level) throws IOException {
    writeUTF(level.name());
  }

  /** Writes a digest as text. */
  void writeDigest(Digest digest) throws IOException {
    writeUTF(digest.hex());
  }

  /** Writes the steps of an ancestry. */
  void writeAncestry(Ancestry ancestry) throws IOException {
    writeList(
        ancestry.steps(),
        (out, step) -> {
          out.writeLong(step.epoch());
          out.writeLong(step.iteration());
        });
  }

  /** Writes a container's entry in a manifest. */
  void writeContainer(ContainerSummary container) throws IOException {
    writeUTF(container.file());
    writeLong(container.bytes());
    writeDigest(container.indexDigest());
    writeList(container.ranks(), FieldWriter::writeInt);
    writeList(
        container.holders(),
        (out, holder) -> {
          out.writeLong(holder.epoch());
          out.writeLong(holder.iteration());
          out.writeUTF(holder.file());
          out.writeLong(holder.bytes());
          out.writeDigest(holder.indexDigest());
        });
    writeList(
        List.copyOf(container.fingerprint().entries().entrySet()),
        (out, entry) -> {
          out.writeUTF(entry.getKey());
          out.writeUTF(entry.getValue());
        });
  }
}
