package io.cairn.lab.gpu.kit;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Each kernel against a plain loop, over seeded chunks of odd lengths at odd addresses. All of the
 * memory around sources and outputs is compared, too.
 */
final class KernelsPart implements KitPart.Program {
  private static final int FEW_SEEDS = 1;
  private static final int MANY_SEEDS = 12;
  private static final int SPAN_BYTES = 48;
  private static final int CHUNK_BYTES = 24;
  private static final long SPAN_SOURCE = 1L << 40;
  private static final long SPAN_TARGET = 1L << 41;
  private static final List<Integer> WIDTHS = List.of(1, 3, 4, 8, 12);

  @Override
  public void run(KitOptions options, Findings findings) throws IOException {
    Gpu gpu = Gpu.open(options);
    int seeds = options.small() ? FEW_SEEDS : MANY_SEEDS;
    for (int seed = 1; seed <= seeds; seed++) {
      findings.say("seed " + seed);
      Trial trial = Trial.of(gpu, seed, !options.small());
      checkDivision(trial, seed);
      checkCopies(trial);
      checkComparisons(trial);
      checkHashes(trial);
      for (int width : WIDTHS) {
        checkShuffles(trial, width);
      }
    }
    findings.figure("seeds", seeds, "");
  }

  /** One span of many chunks, the last of them shorter, as a capture has it. */
  private static void checkDivision(Trial trial, int seed) throws IOException {
    Gpu gpu = trial.gpu();
    int chunks = 500 + seed;
    long chunkBytes = 100_000L * seed;
    long last = chunkBytes - 7;
    byte[] row = new byte[SPAN_BYTES];
    ByteBuffer.wrap(row)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(SPAN_SOURCE)
        .putLong(SPAN_TARGET)
        .putLong((chunks - 1) * chunkBytes + last)
        .putLong(chunkBytes)
        .putInt(chunks);
    ByteBuffer expected =
        ByteBuffer.allocate(chunks * CHUNK_BYTES + (chunks + 1) * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    int pieces = (int) ((chunkBytes + ChunkList.PIECE_BYTES - 1) / ChunkList.PIECE_BYTES);
    for (int i = 0; i < chunks; i++) {
      long at = i * chunkBytes;
      expected.putLong(SPAN_SOURCE + at).putLong(SPAN_TARGET + at);
      expected.putLong(i == chunks - 1 ? last : chunkBytes);
    }
    for (int i = 0; i <= chunks; i++) {
      expected.putInt(i * pieces); // the last chunk has as many
    }
    long spans = gpu.allocate(SPAN_BYTES);
    long tables = gpu.allocate(expected.capacity());
    gpu.upload(spans, row);
    long first = tables + (long) chunks * CHUNK_BYTES;
    gpu.launch(3, "cairn_divide", trial.stream(), spans, 1, tables, first);
    gpu.await(trial.stream());
    byte[] found = gpu.download(tables, expected.capacity());
    gpu.free(spans);
    gpu.free(tables);
    if (!expected.flip().equals(ByteBuffer.wrap(found))) {
      throw new IOException("cairn_divide: tables of " + chunks + " chunks differ");
    }
  }

  private static void checkCopies(Trial trial) throws IOException {
    long crcs = trial.words(trial.count());
    trial.poison();
    trial.chunks().launch("cairn_copy_crc32c", trial.stream(), crcs);
    trial.check("cairn_copy_crc32c", i -> trial.source(i));
    for (int i = 0; i < trial.count(); i++) {
      CRC32C crc = new CRC32C();
      crc.update(trial.source(i));
      trial.checkWord("CRC32C", crcs, i, (int) crc.getValue());
    }
  }

  private static void checkComparisons(Trial trial) throws IOException {
    long flags = trial.words(trial.count());
    trial.fillTargets(KernelsPart::everySecondDiffers);
    trial.chunks().launch("cairn_differs", trial.stream(), flags);
    trial.check("cairn_differs", i -> everySecondDiffers(i, trial.source(i)));
    for (int i = 0; i < trial.count(); i++) {
      boolean differs = i % 2 == 1 && trial.source(i).length > 0;
      boolean isZero = Arrays.equals(trial.source(i), new byte[trial.source(i).length]);
      trial.checkWord("flags", flags, i, (differs ? 1 : 0) | (isZero ? 0 : 2));
    }
  }

  /** The source, with its last byte changed at odd numbers. */
  private static byte[] everySecondDiffers(int chunk, byte[] source) {
    byte[] target = source.clone();
    if (chunk % 2 == 1 && target.length > 0) {
      target[target.length - 1] ^= 1;
    }
    return target;
  }

  private static void checkShuffles(Trial trial, int width) throws IOException {
    trial.poison();
    trial.chunks().launch("cairn_shuffle", trial.stream(), width);
    trial.check("cairn_shuffle of width " + width, i -> sorted(trial.source(i), width));
    trial.poison();
    trial.chunks().launch("cairn_unshuffle", trial.stream(), width);
    trial.check("cairn_unshuffle of width " + width, i -> unsorted(trial.source(i), width));
  }

  private static byte[] sorted(byte[] content, int width) {
    byte[] sorted = content.clone();
    int elements = content.length / width;
    for (int i = 0; i < elements * width; i++) {
      sorted[i % width * elements + i / width] = content[i];
    }
    return sorted;
  }

  private static byte[] unsorted(byte[] content, int width) {
    byte[] elements = content.clone();
    int count = content.length / width;
    for (int i = 0; i < count * width; i++) {
      elements[i] = content[i % width * count + i / width];
    }
    return elements;
  }

  private static void checkHashes(Trial trial) throws IOException {
    long leaves = trial.gpu().allocate(128 * trial.chunks().pieces());
    long hashes = trial.words(4 * trial.count());
    trial.poison();
    trial.chunks().launch("cairn_hash128", trial.stream(), leaves);
    trial.chunks().launch("cairn_hash128_roots", trial.stream(), leaves, hashes);
    trial.checkUntouched("cairn_hash128");
    for (int i = 0; i < trial.count(); i++) {
      HashValue128 hash = hash(trial.source(i));
      trial.checkWord("hash", hashes, 4 * i, (int) hash.getLeastSignificantBits());
      trial.checkWord("hash", hashes, 4 * i + 1, (int) (hash.getLeastSignificantBits() >>> 32));
      trial.checkWord("hash", hashes, 4 * i + 2, (int) hash.getMostSignificantBits());
      trial.checkWord("hash", hashes, 4 * i + 3, (int) (hash.getMostSignificantBits() >>> 32));
    }
    trial.gpu().free(leaves);
  }

  /** The hash, computed as {@code hash128.cu} describes it. */
  private static HashValue128 hash(byte[] content) {
    int leafBytes = 8192;
    int leaves = (content.length + leafBytes - 1) / leafBytes;
    int rootBytes = (16 + 16 * leaves + 1023) / 1024 * 1024;
    ByteBuffer root = ByteBuffer.allocate(rootBytes).order(ByteOrder.LITTLE_ENDIAN);
    root.putLong(content.length).putLong(0);
    for (int leaf = 0; leaf < leaves; leaf++) {
      byte[] padded = new byte[leafBytes];
      int from = leaf * leafBytes;
      System.arraycopy(content, from, padded, 0, Math.min(leafBytes, content.length - from));
      HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(padded);
      root.putLong(hash.getLeastSignificantBits()).putLong(hash.getMostSignificantBits());
    }
    return Hashing.xxh3_128().hashBytesTo128Bits(root.array());
  }
}
