package io.cairn.engine.sharing.peer;

import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.SharingWire;
import java.nio.ByteBuffer;

/**
 * Some bytes of one slot of a lease: the header of a push, and what a reader asks for.
 *
 * <pre>
 * offset  bytes  field (big-endian)
 *      0      4  position of the slot in the lease
 *      4      4  offset in the slot
 *      8      4  length
 *     12   rest  the lease, as a LeaseRequest.Release of it
 * </pre>
 *
 * @param position not negative
 * @param offset not negative
 * @param bytes at least 1
 */
public record ChunkSpan(LeaseId lease, int position, int offset, int bytes) {
  private static final int LEASE_OFFSET = 12;

  public ChunkSpan {
    if (position < 0 || offset < 0 || bytes < 1 || offset > Integer.MAX_VALUE - bytes) {
      throw new IllegalArgumentException(
          "%d bytes from %d on at position %d of %s".formatted(bytes, offset, position, lease));
    }
  }

  public int end() {
    return offset + bytes;
  }

  public byte[] encode() {
    byte[] id = SharingWire.encode(new LeaseRequest.Release(lease));
    return ByteBuffer.allocate(LEASE_OFFSET + id.length)
        .putInt(position)
        .putInt(offset)
        .putInt(bytes)
        .put(id)
        .array();
  }

  /**
   * The inverse of {@link #encode}.
   *
   * @throws IllegalArgumentException saying what is wrong with the bytes
   */
  public static ChunkSpan decode(byte[] encoded) {
    if (encoded.length < LEASE_OFFSET) {
      throw new IllegalArgumentException("a span of a slot in " + encoded.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(encoded);
    int position = in.getInt();
    int offset = in.getInt();
    int bytes = in.getInt();
    byte[] id = new byte[in.remaining()];
    in.get(id);
    return new ChunkSpan(SharingWire.decodeRequest(id).id(), position, offset, bytes);
  }

  @Override
  public String toString() {
    return "%d bytes from %d on at position %d of %s".formatted(bytes, offset, position, lease);
  }
}
