package io.cairn.flush.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;

/**
 * Frames of Zstandard, of which several in a row are decompressed as one. Its native contexts are
 * kept from chunk to chunk. A codec that nobody closes frees them when it is collected.
 */
final class ZstdCodec implements Codec {
  /** Few hundred megabytes per second; the next level costs twice for a percent. */
  private static final int LEVEL = 1;

  private static final int MAGIC = 0xFD2FB528;
  private static final Cleaner CLEANER = Cleaner.create();

  private final Contexts contexts = new Contexts();
  private final Cleaner.Cleanable cleanable = CLEANER.register(this, contexts);

  /** Must not refer to the codec, or the cleaner would never run. */
  private static final class Contexts implements Runnable {
    private final ZstdCompressCtx compress = new ZstdCompressCtx().setLevel(LEVEL);
    private final ZstdDecompressCtx decompress = new ZstdDecompressCtx();

    @Override
    public void run() {
      compress.close();
      decompress.close();
    }
  }

  @Override
  public int mostCompressed(int bytes) {
    return Math.toIntExact(Zstd.compressBound(bytes));
  }

  @Override
  public int compress(ByteBuffer from, int at, int bytes, ByteBuffer into, int to) {
    int room = into.capacity() - to;
    return contexts.compress.compressDirectByteBuffer(into, to, room, from, at, bytes);
  }

  @Override
  public void decompress(ByteBuffer from, ByteBuffer into) throws DataFormatException {
    requireFrame(from);
    int bytes;
    try {
      bytes =
          contexts.decompress.decompressDirectByteBuffer(
              into, into.position(), into.remaining(), from, from.position(), from.remaining());
    } catch (ZstdException e) {
      throw new DataFormatException("no frame of Zstandard: " + e.getMessage());
    }
    if (bytes != into.remaining()) {
      throw new DataFormatException(
          "a frame of Zstandard of " + bytes + " bytes, not " + into.remaining());
    }
  }

  /** The library also reads frames of its earliest versions, by code that is less well tested. */
  private static void requireFrame(ByteBuffer from) throws DataFormatException {
    int at = from.position();
    if (from.remaining() < Integer.BYTES
        || (from.order() == ByteOrder.BIG_ENDIAN
                ? Integer.reverseBytes(from.getInt(at))
                : from.getInt(at))
            != MAGIC) {
      throw new DataFormatException("does not begin with the magic of a frame of Zstandard");
    }
  }

  @Override
  public void close() {
    cleanable.clean();
  }
}
