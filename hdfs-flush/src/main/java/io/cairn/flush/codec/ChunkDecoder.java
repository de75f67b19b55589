package io.cairn.flush.codec;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.DataFormatException;

/**
 * Decodes chunks. Its buffers grow to the longest chunk that a caller asks for, never by what the
 * encoded bytes say, and are kept. Not thread-safe.
 */
public final class ChunkDecoder implements Closeable {
  private final Map<Method, Codec> codecs = new EnumMap<>(Method.class);
  private ByteBuffer stored = ByteBuffer.allocateDirect(0);
  private ByteBuffer decoded = ByteBuffer.allocateDirect(0);

  /** Creates a decoder, which loads no library yet. */
  public ChunkDecoder() {}

  /** A buffer for the encoded bytes of one chunk, with position 0 and this limit. */
  public ByteBuffer stored(int bytes) {
    stored = atLeast(bytes, stored);
    return stored.clear().limit(bytes);
  }

  /**
   * Decodes a chunk.
   *
   * @param encoding not {@link Encoding#RAW}
   * @param from the encoded bytes, between position and limit of {@link #stored}
   * @param into its space is the chunk's length; its position is its limit afterwards
   * @throws DataFormatException if the bytes are malformed, or do not give exactly that length; the
   *     content of {@code into} is undefined then, and its position unchanged
   * @throws IOException if the library is absent; the message names it
   */
  public void decode(Encoding encoding, ByteBuffer from, ByteBuffer into)
      throws DataFormatException, IOException {
    Codec codec = codec(encoding);
    boolean direct = into.isDirect() && encoding.elementBytes() == 1;
    if (direct) {
      codec.decompress(from, into);
    } else {
      decoded = atLeast(into.remaining(), decoded);
      codec.decompress(from, decoded.clear().limit(into.remaining()));
      ByteShuffle.restore(decoded, encoding.elementBytes(), into);
    }
    into.position(into.limit());
  }

  private Codec codec(Encoding encoding) throws IOException {
    Method method = encoding.method().orElseThrow();
    Codec codec = codecs.get(method);
    if (codec == null) {
      codec = method.open();
      codecs.put(method, codec);
    }
    return codec;
  }

  private static ByteBuffer atLeast(int bytes, ByteBuffer buffer) {
    return buffer.capacity() >= bytes ? buffer : ByteBuffer.allocateDirect(bytes);
  }

  @Override
  public void close() {
    codecs.values().forEach(Codec::close);
    codecs.clear();
  }
}
