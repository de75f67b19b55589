package io.cairn.flush.codec;

import io.cairn.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Encodes the chunks of a writer. It tries the encodings on a sample of each chunk and takes the
 * best for the whole. Its buffers and native contexts are kept, so that it allocates nothing per
 * chunk. Not thread-safe.
 */
public final class ChunkEncoder {
  /** A chunk that saves less than this part of its length is stored as it is. */
  private static final int LEAST_SAVED = 16;

  private static final int MOST_SAMPLED = 32 << 10;
  private static final int LEAST_SAMPLED = 4 << 10;

  /** Pieces of a sample, spread over the chunk. */
  private static final int PIECES = 8;

  /** After so many chunks in a row that stay as they are, some are not even sampled. */
  private static final int MISSES_BEFORE_SKIPS = 3;

  /** How often the number of skipped chunks doubles. */
  private static final int MOST_DOUBLINGS = 6;

  private final Compression otherwise;
  private final LongSupplier nanoTime;
  private final Map<Method, Codec> codecs = new EnumMap<>(Method.class);
  private final ByteBuffer planes;
  private final ByteBuffer sample = ByteBuffer.allocateDirect(MOST_SAMPLED);
  private ByteBuffer encoded = ByteBuffer.allocateDirect(0);
  private double linkNanosPerByte;
  private IntFunction<Compression> ofRegions;
  private boolean adaptive;
  private List<Encoding> candidates = List.of();
  private int region = -1;
  private int misses;
  private int skipped;

  /**
   * Creates an encoder, and allocates its buffers, about twice the longest chunk.
   *
   * @param compression of every region, until {@link #begin(IntFunction)} says otherwise
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws IOException if a library is absent; the message names it
   */
  public ChunkEncoder(Compression compression, int maxChunkBytes, LongSupplier nanoTime)
      throws IOException {
    this.otherwise = compression;
    this.ofRegions = any -> otherwise;
    this.nanoTime = nanoTime;
    this.planes = ByteBuffer.allocateDirect(Math.max(maxChunkBytes, MOST_SAMPLED));
    use(compression);
  }

  /** Allocates only at a region whose encodings may be longer than any before. */
  private void use(Compression compression) throws IOException {
    adaptive = compression == Compression.ADAPTIVE;
    candidates = Encodings.of(compression);
    for (Encoding each : candidates) {
      makeRoom(each);
    }
  }

  private void makeRoom(Encoding encoding) throws IOException {
    int parts = encoding.elementBytes() * codec(encoding).mostCompressed(0);
    int most = codec(encoding).mostCompressed(planes.capacity()) + parts;
    if (most > encoded.capacity()) {
      encoded = ByteBuffer.allocateDirect(most);
    }
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

  /** Begins with another rank's chunks: what was learned of the regions before does not count. */
  public void begin() {
    begin(any -> otherwise);
  }

  /**
   * Like {@link #begin()}, with a compression per region.
   *
   * @param compressions by the number of a region
   */
  public void begin(IntFunction<Compression> compressions) {
    ofRegions = compressions;
    region = -1;
  }

  /**
   * Encodes a chunk.
   *
   * @param ofRegion number of its region; what was learned of another region does not count
   * @param chunk direct, from index 0 to its limit; unchanged
   * @return the form in {@link #encoded}; {@link Encoding#RAW} if the chunk is to be stored as it
   *     is
   * @throws IOException if the library of the region's compression is absent; the message names it
   */
  public Encoding encode(int ofRegion, ByteBuffer chunk) throws IOException {
    if (ofRegion != region) {
      use(ofRegions.apply(ofRegion));
      region = ofRegion;
      misses = 0;
      skipped = 0;
    }
    if (candidates.isEmpty()) {
      return Encoding.RAW;
    }
    if (skipped < toSkip()) {
      skipped++;
      return Encoding.RAW;
    }
    Encoding best = choose(chunk);
    int bytes = chunk.limit();
    boolean shrinks = best != Encoding.RAW && run(best, chunk, bytes) <= mostStored(bytes);
    misses = shrinks ? 0 : misses + 1;
    skipped = 0;
    return shrinks ? best : Encoding.RAW;
  }

  /**
   * A chunk in a given encoding, whether that is shorter or not.
   *
   * @param encoding not {@link Encoding#RAW}
   * @param chunk direct, from index 0 to its limit, not longer than the longest; unchanged
   * @return valid until the next
   * @throws IOException if a library is absent; the message names it
   */
  public ByteBuffer encodeAs(Encoding encoding, ByteBuffer chunk) throws IOException {
    makeRoom(encoding);
    int length = run(encoding, chunk, chunk.limit());
    return encoded.position(0).limit(length);
  }

  private int toSkip() {
    int beyond = misses - MISSES_BEFORE_SKIPS;
    return beyond < 0 ? 0 : 1 << Math.min(beyond, MOST_DOUBLINGS);
  }

  /** The longest form of a chunk of so many bytes that is stored instead of it. */
  private static int mostStored(int bytes) {
    return bytes - Math.max(1, bytes / LEAST_SAVED);
  }

  /** The bytes of the last chunk, unless it is stored as it is; valid until the next. */
  public ByteBuffer encoded() {
    return encoded;
  }

  /** Reports how long the link took for stored bytes, waits included. */
  public void sent(long bytes, long nanos) {
    if (bytes > 0) {
      double now = (double) Math.max(0, nanos) / bytes;
      // one disturbed container does not decide, and a change is learned within a few
      linkNanosPerByte = linkNanosPerByte == 0 ? now : 0.5 * linkNanosPerByte + 0.5 * now;
    }
  }

  private Encoding choose(ByteBuffer chunk) throws IOException {
    int bytes = takeSample(chunk);
    Encoding best = Encoding.RAW;
    double least = cost(mostStored(bytes), 0);
    for (Encoding each : candidates) {
      long began = nanoTime.getAsLong();
      int stored = run(each, sample, bytes);
      double cost = cost(stored, nanoTime.getAsLong() - began);
      if (cost < least) {
        best = each;
        least = cost;
      }
    }
    return best;
  }

  /** The quantity to minimise: the time that a chunk takes, or its length. */
  private double cost(int stored, long nanos) {
    return adaptive ? nanos + stored * linkNanosPerByte : stored;
  }

  private int run(Encoding encoding, ByteBuffer from, int bytes) throws IOException {
    Codec codec = codec(encoding);
    int elementBytes = encoding.elementBytes();
    encoded.clear();
    int length;
    if (elementBytes == 1) {
      length = codec.compress(from, 0, bytes, encoded, 0);
    } else {
      ByteShuffle.shuffle(from, bytes, elementBytes, planes);
      length = compressPlanes(codec, bytes, elementBytes);
    }
    encoded.limit(length);
    return length;
  }

  /** Each place apart: the bytes of one resemble each other, and not those of the next. */
  private int compressPlanes(Codec codec, int bytes, int elementBytes) {
    int plane = bytes / elementBytes;
    int length = 0;
    for (int place = 0; place < elementBytes; place++) {
      int at = place * plane;
      int end = place + 1 == elementBytes ? bytes : at + plane;
      length += codec.compress(planes, at, end - at, encoded, length);
    }
    return length;
  }

  /** Copies pieces of a chunk side by side; returns their length. */
  private int takeSample(ByteBuffer chunk) {
    int bytes = chunk.limit();
    int wanted = Math.max(LEAST_SAMPLED, Math.min(MOST_SAMPLED, bytes / LEAST_SAVED));
    if (bytes <= wanted) {
      sample.put(0, chunk, 0, bytes);
      return bytes;
    }
    int piece = wanted / PIECES / Long.BYTES * Long.BYTES;
    int step = (bytes - piece) / (PIECES - 1) / Long.BYTES * Long.BYTES; // elements stay whole
    for (int i = 0; i < PIECES; i++) {
      sample.put(i * piece, chunk, i * step, piece);
    }
    return PIECES * piece;
  }
}
