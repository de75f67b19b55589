package io.cairn.core.wire;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Digest;
import io.cairn.core.model.Level;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Writes the fields of one message, for {@link FieldReader} to read back: numbers as {@link
 * DataOutputStream} does, and what messages are made of besides. Knows no message: kinds and the
 * order of the fields are its callers'. Writes lists as long as they are, since the reader bounds
 * them, but clips texts for people. Not thread-safe; one per message.
 */
final class FieldWriter extends DataOutputStream {
  /** Characters of a text for people that are never clipped. */
  private static final int WHOLE_TEXT = 4000;

  private static final int USUAL_BYTES = 128;

  /** Writes one entry, or one message after its version. */
  @FunctionalInterface
  interface Body<T> {
    /** Writes it, field by field. */
    void write(FieldWriter out, T entry) throws IOException;
  }

  private FieldWriter(ByteArrayOutputStream bytes) {
    super(bytes);
  }

  /**
   * The bytes of a message: its version in one byte, then what the body writes.
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

  /**
   * Writes a text for people, which {@link #writeUTF} would refuse above 65 535 bytes.
   *
   * @param kept how many characters of one longer than 4 000 are sent, before an ellipsis
   */
  void writeText(String text, int kept) throws IOException {
    writeUTF(text.length() <= WHOLE_TEXT ? text : text.substring(0, kept) + "…");
  }

  /** Writes how many there are, and each. */
  <T> void writeList(List<T> list, Body<T> entries) throws IOException {
    writeInt(list.size());
    for (T entry : list) {
      entries.write(this, entry);
    }
  }

  /** Writes whether there is one, and it. */
  <T> void writeOptional(Optional<T> optional, Body<T> entry) throws IOException {
    writeBoolean(optional.isPresent());
    if (optional.isPresent()) {
      entry.write(this, optional.get());
    }
  }

  /** Writes which checkpoint is meant. */
  void writeCheckpoint(CheckpointId id) throws IOException {
    writeUTF(id.group().job());
    writeUTF(id.group().group());
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
}
