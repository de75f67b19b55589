package io.cairn.engine.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bytes of frames in those that a connection receives: in sealed records, or all of them
 * if nothing is sealed. Not thread-safe.
 */
final class RecordReader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final LoopMemory memory;
  private final @Nullable Sealing sealing;

  /** The beginning of a record. */
  private @Nullable ByteBuffer begun;

  private ByteBuffer opened = NOTHING;
  private boolean shared;

  /**
   * A reader.
   *
   * @param sealing null if nothing is sealed
   */
  RecordReader(LoopMemory memory, @Nullable Sealing sealing) {
    this.memory = memory;
    this.sealing = sealing;
  }

  /**
   * Looks for bytes of frames, and opens the next record if all of the last one were taken.
   *
   * @param bytes those of the connection, in order; the others are left for the next call
   * @return whether {@link #opened} has any
   * @throws IOException if no peer that knows the secret sends them
   */
  boolean open(ByteBuffer bytes) throws IOException {
    if (sealing == null) {
      opened = bytes;
    } else if (!opened.hasRemaining() && bytes.hasRemaining()) {
      next(sealing, bytes);
    }
    return opened.hasRemaining();
  }

  private void next(Sealing by, ByteBuffer bytes) throws IOException {
    ByteBuffer record = begun == null ? memory.borrowForOne() : begun;
    begun = record;
    if (!fill(record, Sealing.LENGTH_BYTES, bytes)) {
      return;
    }
    int length = record.getInt(0);
    if (length < 1 || length > Sealing.PLAIN_BYTES) {
      throw new IOException("a record of " + length + " bytes");
    }
    if (fill(record, Sealing.LENGTH_BYTES + length + Sealing.TAG_BYTES, bytes)) {
      ByteBuffer plain = memory.opened();
      by.open(record.flip().position(Sealing.LENGTH_BYTES), plain);
      opened = plain.flip();
      shared = true;
      release();
    }
  }

  private static boolean fill(ByteBuffer record, int end, ByteBuffer bytes) {
    LoopMemory.move(bytes, record, Math.max(0, end - record.position()));
    return record.position() >= end;
  }

  /** The bytes of frames that were found, and not taken yet. */
  ByteBuffer opened() {
    return opened;
  }

  /** Whether {@link #open} has bytes without more of the connection. */
  boolean hasOpened() {
    return sealing != null && opened.hasRemaining();
  }

  /** Whether a part of a record has come. */
  boolean isWithinRecord() {
    return begun != null;
  }

  /** Keeps the bytes that are not taken at once, since others use their memory next. */
  void keep() {
    if (shared && opened.hasRemaining()) {
      opened = ByteBuffer.allocate(opened.remaining()).put(opened).flip();
    }
    shared = false;
  }

  /** Gives back the memory that it holds. */
  void release() {
    ByteBuffer held = begun;
    if (held != null) {
      begun = null;
      memory.giveBack(held);
    }
  }
}
