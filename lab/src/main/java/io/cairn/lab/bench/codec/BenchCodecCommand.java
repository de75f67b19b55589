package io.cairn.lab.bench.codec;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.cli.Units;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.codec.ChunkDecoder;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.codec.Encoding;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cairn-lab bench codec}: how much shorter chunks become, and how fast. Each content meets
 * each codec, by the classes that write and read containers.
 */
@Command(
    name = "codec",
    description = {
      "Encode and decode chunks of 4 MiB with each codec, on one thread.",
      "Reports the stored part of their bytes and bytes per second. Takes half a minute."
    })
public final class BenchCodecCommand extends Bench {
  private static final List<Compression> CODECS =
      List.of(Compression.LZ4, Compression.ZSTD, Compression.SHUFFLE_ZSTD);

  /** Numbers are also rounded first, for the codec that lossy regions are meant for. */
  private static final List<ErrorBound> BOUNDS =
      List.of(ErrorBound.relative(0.001), ErrorBound.relative(0.01));

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Chunks per content and codec. Default: ${DEFAULT-VALUE}.")
  private int rounds = 1;

  private final int chunkBytes;

  /** Made by the command line. */
  public BenchCodecCommand() {
    this(4 << 20);
  }

  /** A benchmark of chunks of so many bytes, a multiple of 8. */
  BenchCodecCommand(int chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  @Override
  protected void measure(BenchReport report) throws IOException {
    rounds = Math.max(1, rounds);
    String over =
        "stored part of the bytes, and GB of chunks per second, sampling and rounding included:"
            + " chunks of %s, one thread, %s after as many that are not counted";
    FigureTable lines = report.table(over, Units.bytes(chunkBytes), Units.count(rounds, "round"));
    for (Content content : Content.values()) {
      for (Compression codec : CODECS) {
        FigureTable.Row line = lines.row().add("content", content.label());
        measure(line, content.chunk(chunkBytes, 1), Optional.empty(), codec);
      }
    }
    for (Content content : Content.NUMBERS) {
      for (ErrorBound bound : BOUNDS) {
        BitRounding rounding = BitRounding.of(content == Content.DOUBLES, bound);
        FigureTable.Row line = lines.row().add("content", content.label() + ", " + bound);
        ByteBuffer chunk = content.chunk(chunkBytes, 1);
        measure(line, chunk, Optional.of(rounding), Compression.SHUFFLE_ZSTD);
      }
    }
  }

  private void measure(
      FigureTable.Row line, ByteBuffer exact, Optional<BitRounding> rounding, Compression codec)
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
    line.add("codec", codec.label())
        .add("stored as", encoding.toString())
        .add("part %", raw ? 100.0 : 100.0 * encoder.encoded().limit() / chunkBytes)
        .add("encode GB/s", encodeRate)
        .add("decode GB/s", raw ? null : decodeRate(encoding, encoder.encoded(), chunk));
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
    return (double) chunkBytes * rounds / nanos;
  }
}
