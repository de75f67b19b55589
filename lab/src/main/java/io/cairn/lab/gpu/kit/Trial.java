package io.cairn.lab.gpu.kit;

import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Seeded chunks on the GPU, whose sources and targets lie among poisoned margins. The copy that the
 * host has says what each byte has to be.
 */
final class Trial {
  private static final byte POISON = (byte) 0xA5;
  private static final int[] FEW = {0, 1, 15, 16, 17, 4095, 65536, 65537, 100_003};
  private static final int[] MORE = {65535, 131_071, 131_072, 1_000_003, 4 << 20, (4 << 20) + 13};
  private static final int MOST_MARGIN_BYTES = 40;

  private final Gpu gpu;
  private final long stream;
  private final List<byte[]> sources;
  private final int[] places;
  private final byte[] sourceBytes;
  private final byte[] targetBytes;
  private final long sourceAddress;
  private final long targetAddress;
  private final ChunkList chunks;

  /** The content of one chunk. */
  interface Content {
    byte[] of(int chunk);
  }

  /** The content of one target, from its source. */
  interface Filling {
    byte[] of(int chunk, byte[] source);
  }

  private Trial(Gpu gpu, Random random, List<byte[]> sources) throws GpuException {
    this.gpu = gpu;
    this.sources = sources;
    stream = gpu.stream();
    places = new int[sources.size()];
    int at = 0;
    for (int i = 0; i < places.length; i++) {
      places[i] = at + 1 + random.nextInt(MOST_MARGIN_BYTES);
      at = places[i] + sources.get(i).length;
    }
    int bytes = at + MOST_MARGIN_BYTES;
    sourceBytes = new byte[bytes];
    targetBytes = new byte[bytes];
    sourceAddress = gpu.allocate(bytes);
    targetAddress = gpu.allocate(bytes);
    chunks = ChunkList.of(gpu, spans());
    fill(sourceBytes, i -> sources.get(i));
    gpu.upload(sourceAddress, sourceBytes);
  }

  /** Chunks of every length, in seeded order; some are zeros. */
  static Trial of(Gpu gpu, int seed, boolean large) throws GpuException {
    Random random = new Random(seed);
    List<byte[]> sources = new ArrayList<>();
    for (int length : large ? concat(FEW, MORE) : FEW) {
      byte[] content = new byte[length];
      if (random.nextInt(4) > 0) {
        random.nextBytes(content);
      }
      sources.add(random.nextInt(sources.size() + 1), content);
    }
    return new Trial(gpu, random, sources);
  }

  private static int[] concat(int[] one, int[] other) {
    int[] all = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, all, one.length, other.length);
    return all;
  }

  private List<Chunk> spans() {
    List<Chunk> spans = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      long place = places[i];
      spans.add(new Chunk(sourceAddress + place, targetAddress + place, sources.get(i).length));
    }
    return spans;
  }

  Gpu gpu() {
    return gpu;
  }

  long stream() {
    return stream;
  }

  ChunkList chunks() {
    return chunks;
  }

  int count() {
    return places.length;
  }

  byte[] source(int chunk) {
    return sources.get(chunk);
  }

  /** Words on the GPU that are 0. */
  long words(int count) throws GpuException {
    long address = gpu.allocate((long) count * Integer.BYTES);
    gpu.upload(address, new byte[count * Integer.BYTES]);
    return address;
  }

  /** Poisons all targets and what lies between them. */
  void poison() throws GpuException {
    Arrays.fill(targetBytes, POISON);
    gpu.upload(targetAddress, targetBytes);
  }

  /** Fills the targets, among poison. */
  void fillTargets(Filling filling) throws GpuException {
    fill(targetBytes, i -> filling.of(i, sources.get(i)));
    gpu.upload(targetAddress, targetBytes);
  }

  private void fill(byte[] all, Content content) {
    Arrays.fill(all, POISON);
    for (int i = 0; i < places.length; i++) {
      byte[] bytes = content.of(i);
      System.arraycopy(bytes, 0, all, places[i], bytes.length);
    }
  }

  /** Waits, and checks every byte of targets, sources and margins. */
  void check(String what, Content expected) throws IOException {
    fill(targetBytes, expected);
    checkUntouched(what);
  }

  /** Waits, and checks that the GPU's bytes are those that the host has. */
  void checkUntouched(String what) throws IOException {
    gpu.await(stream);
    requireEqual(what + ", targets", targetBytes, targetAddress);
    requireEqual(what + ", sources", sourceBytes, sourceAddress);
  }

  private void requireEqual(String what, byte[] expected, long address) throws IOException {
    int at = Arrays.mismatch(expected, gpu.download(address, expected.length));
    if (at >= 0) {
      throw new IOException(what + ": byte " + at + " is wrong, " + place(at));
    }
  }

  private String place(int at) {
    for (int i = 0; i < places.length; i++) {
      if (at >= places[i] && at < places[i] + sources.get(i).length) {
        return String.format(
            Locale.ROOT, "%d of chunk %d with %d bytes", at - places[i], i, sources.get(i).length);
      }
    }
    return "which belongs to no chunk";
  }

  /** Checks one of the words. */
  void checkWord(String what, long address, int index, int expected) throws IOException {
    byte[] found = gpu.download(address + (long) index * Integer.BYTES, Integer.BYTES);
    int word = ByteBuffer.wrap(found).order(ByteOrder.nativeOrder()).getInt();
    if (word != expected) {
      throw new IOException(
          String.format(
              Locale.ROOT, "%s, word %d: 0x%08x instead of 0x%08x", what, index, word, expected));
    }
  }
}
