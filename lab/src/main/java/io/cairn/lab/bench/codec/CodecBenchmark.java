package io.cairn.lab.bench.codec;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.codec.ChunkDecoder;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.codec.Encoding;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;

/**
 * Encodes and decodes chunks of each content with each codec, on one thread, by the classes that
 * write and read containers.
 *
 * @param chunkBytes of each chunk, a multiple of 8
 * @param rounds that are measured, after as many that are not
 */
record CodecBenchmark(int chunkBytes, int rounds) {
  private static final List<Compression> CODECS =
      List.of(Compression.LZ4, Compression.ZSTD, Compression.SHUFFLE_ZSTD);

  /** Numbers are also rounded first, for the codec that lossy regions are meant for. */
  private static final List<ErrorBound> BOUNDS =
      List.of(ErrorBound.relative(0.001), ErrorBound.relative(0.01));

  /**
   * The findings; its JSON is these records.
   *
   * @param date when, in UTC
   */
  record Report(
      String date, MeasuredMachine machine, int chunkBytes, int rounds, List<Line> lines) {}

  /**
   * One codec with one content.
   *
   * @param encoding that the codec chose
   * @param ratio stored bytes for each byte of the chunk
   * @param encodeRate bytes of chunks per second, sampling and rounding included
   * @param decodeRate bytes of chunks per second; 0 if they are stored as they are
   */
  record Line(
      String content,
      String codec,
      String encoding,
      double ratio,
      double encodeRate,
      double decodeRate) {}

  /** Measures all of them, in this JVM. */
  Report run() throws IOException {
    List<Line> lines = new ArrayList<>();
    for (Content content : Content.values()) {
      for (Compression codec : CODECS) {
        lines.add(measure(content.label(), content.chunk(chunkBytes, 1), Optional.empty(), codec));
      }
    }
    for (Content content : Content.NUMBERS) {
      for (ErrorBound bound : BOUNDS) {
        BitRounding rounding = BitRounding.of(content == Content.DOUBLES, bound);
        ByteBuffer chunk = content.chunk(chunkBytes, 1);
        String label = content.label() + ", " + bound;
        lines.add(measure(label, chunk, Optional.of(rounding), Compression.SHUFFLE_ZSTD));
      }
    }
    return new Report(
        Instant.now().toString(), MeasuredMachine.current(), chunkBytes, rounds, lines);
  }

  private Line measure(
      String content, ByteBuffer exact, Optional<BitRounding> rounding, Compression codec)
      throws IOException {
    ChunkEncoder encoder = new ChunkEncoder(codec, chunkBytes, System::nanoTime);
    ByteBuffer chunk = ByteBuffer.allocateDirect(chunkBytes).put(0, exact, 0, chunkBytes);
    Encoding encoding = Encoding.RAW;
    long began = System.nanoTime();
    for (int round = 0; round < 2 * rounds; round++) {
      began = round == rounds ? System.nanoTime() : began;
      if (rounding.isPresent()) {
        chunk.put(0, exact, 0, chunkBytes);
        rounding.get().round(chunk, 0, chunkBytes);
      }
      encoder.begin(); // each chunk is the first of its region, so that it is tried
      encoding = encoder.encode(0, chunk);
    }
    double encodeRate = rate(System.nanoTime() - began);
    boolean raw = encoding == Encoding.RAW;
    return new Line(
        content,
        codec.label(),
        encoding.toString(),
        raw ? 1 : (double) encoder.encoded().limit() / chunkBytes,
        encodeRate,
        raw ? 0 : decodeRate(encoding, encoder.encoded(), chunk));
  }

  private double decodeRate(Encoding encoding, ByteBuffer encoded, ByteBuffer chunk)
      throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(chunkBytes);
    try (ChunkDecoder decoder = new ChunkDecoder()) {
      long began = System.nanoTime();
      for (int round = 0; round < 2 * rounds; round++) {
        began = round == rounds ? System.nanoTime() : began;
        ByteBuffer stored = decoder.stored(encoded.limit());
        stored.put(0, encoded, 0, encoded.limit());
        decoder.decode(encoding, stored, into.clear());
      }
      double rate = rate(System.nanoTime() - began);
      if (!into.flip().equals(chunk)) {
        throw new IllegalStateException(encoding + " gave other bytes than were encoded");
      }
      return rate;
    } catch (DataFormatException e) {
      throw new IllegalStateException(encoding + " cannot be decoded", e);
    }
  }

  private double rate(long nanos) {
    return (double) chunkBytes * rounds / nanos * 1e9;
  }
}
