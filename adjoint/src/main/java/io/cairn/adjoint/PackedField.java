package io.cairn.adjoint;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.codec.ChunkDecoder;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.codec.Encoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;

/**
 * A field of floats in fewer bytes, with a bounded error: rounded, its bytes sorted by their place,
 * and compressed by Zstandard. For regions of {@link AdjointProgram#read}, with {@link #length} as
 * {@link AdjointProgram#readBytes}. Its length stands in its first bytes. Not thread-safe.
 */
public final class PackedField {
  private static final Encoding ENCODING = Encoding.ZSTD_OF_4;
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final ByteBuffer plain;
  private final byte[] bytes;
  private final ChunkEncoder encoder;
  private final ChunkDecoder decoder = new ChunkDecoder();
  private int length = LENGTH_BYTES;

  /**
   * A field of zeros.
   *
   * @param cells of the field
   */
  public PackedField(int cells) {
    plain = ByteBuffer.allocateDirect(cells * Float.BYTES).order(ByteOrder.nativeOrder());
    bytes = new byte[LENGTH_BYTES + 2 * plain.capacity()];
    try {
      encoder = new ChunkEncoder(Compression.ZSTD, plain.capacity(), System::nanoTime);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The memory, of which the first {@link #length} bytes count. */
  public byte[] memory() {
    return bytes;
  }

  /** The bytes that count now. */
  public int length() {
    return length;
  }

  /**
   * Takes a field.
   *
   * @param field as long as the cells
   * @param bound the largest error of a value; a field of zeros has none
   */
  public void pack(float[] field, double bound) {
    int encoded = 0;
    if (bound > 0) {
      plain.clear();
      plain.asFloatBuffer().put(field);
      BitRounding.of(false, ErrorBound.absolute(bound)).round(plain, 0, plain.capacity());
      encoded = encode();
    }
    ByteBuffer.wrap(bytes).putInt(encoded);
    length = LENGTH_BYTES + encoded;
  }

  private int encode() {
    try {
      ByteBuffer encoded = encoder.encodeAs(ENCODING, plain);
      int size = encoded.limit();
      encoded.get(0, bytes, LENGTH_BYTES, size);
      return size;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Gives back the field that lies in the memory.
   *
   * @throws IllegalStateException if the memory was changed since it was packed
   */
  public void unpack(float[] field) {
    int encoded = ByteBuffer.wrap(bytes).getInt();
    if (encoded == 0) {
      Arrays.fill(field, 0);
      return;
    }
    try {
      ByteBuffer stored = decoder.stored(encoded);
      stored.put(bytes, LENGTH_BYTES, encoded).flip();
      decoder.decode(ENCODING, stored, plain.clear());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DataFormatException e) {
      throw new IllegalStateException("a field was changed since it was packed", e);
    }
    plain.clear();
    plain.asFloatBuffer().get(field);
  }
}
