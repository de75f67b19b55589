package io.cairn.core.wire;

import io.cairn.core.sharing.LeaseId;
import java.util.Locale;

/**
 * A range of bytes in one slot of a lease: the header of a push, and the subject of a read.
 *
 * @param position of the slot in the lease, not negative
 * @param offset in the slot, not negative
 * @param bytes at least 1
 */
public record ChunkSpan(LeaseId lease, int position, int offset, int bytes) implements Message {
  /** Checks the ranges. */
  public ChunkSpan {
    if (position < 0 || offset < 0 || bytes < 1 || offset > Integer.MAX_VALUE - bytes) {
      throw new IllegalArgumentException(text(lease, position, offset, bytes));
    }
  }

  /** The first offset behind the range. */
  public int end() {
    return offset + bytes;
  }

  @Override
  public String toString() {
    return text(lease, position, offset, bytes);
  }

  private static String text(LeaseId lease, int position, int offset, int bytes) {
    return String.format(
        Locale.ROOT, "%d bytes at offset %d of position %d of %s", bytes, offset, position, lease);
  }
}
