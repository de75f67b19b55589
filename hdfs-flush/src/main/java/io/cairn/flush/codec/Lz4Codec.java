package io.cairn.flush.codec;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks. */
final class Lz4Codec implements Codec {
  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  Lz4Codec() {
    LZ4Factory factory = factory();
    this.compressor = factory.fastCompressor();
    this.decompressor = factory.safeDecompressor();
  }

  /**
   * The native one, or else the one in checked Java; never the one over Unsafe. A native part that
   * cannot be loaded fails in another way at each later attempt. Without the library both fail.
   */
  private static LZ4Factory factory() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (LinkageError | AssertionError e) {
      return LZ4Factory.safeInstance();
    }
  }

  @Override
  public int mostCompressed(int bytes) {
    return compressor.maxCompressedLength(bytes);
  }

  @Override
  public int compress(ByteBuffer from, int at, int bytes, ByteBuffer into, int to) {
    return compressor.compress(from, at, bytes, into, to, into.capacity() - to);
  }

  @Override
  public void decompress(ByteBuffer from, ByteBuffer into) throws DataFormatException {
    int bytes;
    try {
      bytes =
          decompressor.decompress(
              from, from.position(), from.remaining(), into, into.position(), into.remaining());
    } catch (LZ4Exception e) {
      throw new DataFormatException("no LZ4 block: " + e.getMessage());
    }
    if (bytes != into.remaining()) {
      throw new DataFormatException("an LZ4 block of " + bytes + " bytes, not " + into.remaining());
    }
  }

  @Override
  public void close() {}
}
