package io.cairn.dl4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.RestoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The round of a worker's checkpoint.
 *
 * @param round its name and its first model
 * @param trained the digests of its minibatches, in the order of training
 */
record RoundRegion(String round, List<Long> trained) {
  RoundRegion {
    trained = List.copyOf(trained);
  }

  byte[] encode() {
    byte[] name = round.getBytes(UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES + name.length + Long.BYTES * trained.size());
    bytes.putInt(name.length).put(name);
    trained.forEach(bytes::putLong);
    return bytes.array();
  }

  /**
   * The round in these bytes.
   *
   * @throws RestoreException if they are none
   */
  static RoundRegion decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      int length = from.getInt();
      if (length < 0 || length > from.remaining() || (from.remaining() - length) % Long.BYTES > 0) {
        throw new RestoreException("the region of the round is damaged");
      }
      byte[] name = new byte[length];
      from.get(name);
      List<Long> trained = new ArrayList<>();
      while (from.hasRemaining()) {
        trained.add(from.getLong());
      }
      return new RoundRegion(new String(name, UTF_8), trained);
    } catch (BufferUnderflowException e) {
      throw new RestoreException("the region of the round is damaged: " + e.getMessage());
    }
  }
}
