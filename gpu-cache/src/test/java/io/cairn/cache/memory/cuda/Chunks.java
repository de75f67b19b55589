package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The chunks of a launch, as the kernels read them. Lengths, places in memory and contents are
 * drawn from a seed. Not thread-safe.
 */
final class Chunks implements AutoCloseable {
  /** Lengths around those at which a kernel takes another path. */
  private static final int[] LENGTHS = {
    0, 1, 3, 4, 15, 16, 17, 31, 32, 4095, 4096, 4097, 8175, 8191, 8192, 8193, 16384, 24577, 65535,
    65536, 65537, 131072, 139263
  };

  /** One chunk. Its target has the length of its source. */
  static final class Chunk {
    private final byte[] content;
    private final GuardedMemory source;
    private final GuardedMemory target;

    private Chunk(byte[] content, GuardedMemory source, GuardedMemory target) {
      this.content = content;
      this.source = source.put(content);
      this.target = target;
    }

    /** The bytes that the source had before the launch. */
    byte[] content() {
      return content;
    }

    GuardedMemory target() {
      return target;
    }
  }

  private final Random random;
  private final String name;
  private final List<Chunk> chunks = new ArrayList<>();
  private final GuardedMemory table;
  private final GuardedMemory first;
  private final int pieces;

  private Chunks(Random random, String name, List<byte[]> contents, boolean targets) {
    this.random = random;
    this.name = name;
    byte[] rowBytes = new byte[contents.size() * 24];
    byte[] beginBytes = new byte[(contents.size() + 1) * Integer.BYTES];
    ByteBuffer rows = words(rowBytes);
    ByteBuffer begins = words(beginBytes);
    int pieces = 0;
    for (byte[] content : contents) {
      Chunk chunk = new Chunk(content, placed(content.length), placed(content.length));
      chunks.add(chunk);
      rows.putLong(chunk.source.address())
          .putLong(targets ? chunk.target.address() : 0)
          .putLong(content.length);
      begins.putInt(pieces);
      pieces += (content.length + Kernels.PIECE_BYTES - 1) / Kernels.PIECE_BYTES;
    }
    this.pieces = pieces;
    begins.putInt(pieces);
    table = GuardedMemory.atEnd(rowBytes.length).put(rowBytes);
    first = GuardedMemory.atEnd(beginBytes.length).put(beginBytes);
  }

  /** Chunks of a seed, with targets. */
  static Chunks of(long seed) {
    Random random = new Random(seed);
    List<byte[]> contents = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      contents.add(content(random, length(random)));
    }
    return of(seed, contents, true);
  }

  /** Chunks with given contents, whose places are drawn from a seed. */
  static Chunks of(long seed, List<byte[]> contents, boolean targets) {
    Kernels.seed(seed);
    return new Chunks(new Random(~seed), "seed " + seed, contents, targets);
  }

  private static int length(Random random) {
    return random.nextInt(3) == 0
        ? random.nextInt(200_000)
        : LENGTHS[random.nextInt(LENGTHS.length)];
  }

  /** Random bytes, all of them, none, or the last one. */
  static byte[] content(Random random, int length) {
    byte[] content = new byte[length];
    int kind = random.nextInt(4);
    if (kind == 0 && length > 0) {
      content[length - 1] = 1;
    } else if (kind > 1) {
      random.nextBytes(content);
    }
    return content;
  }

  private static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private GuardedMemory placed(int length) {
    return switch (random.nextInt(4)) {
      case 0 -> GuardedMemory.atEnd(length);
      case 1 -> GuardedMemory.shifted(length, random.nextInt(17));
      case 2 -> GuardedMemory.shifted(length, 4 * random.nextInt(5));
      default -> GuardedMemory.shifted(length, 0);
    };
  }

  List<Chunk> list() {
    return chunks;
  }

  int count() {
    return chunks.size();
  }

  int pieces() {
    return pieces;
  }

  /** The seed and the length of a chunk, for messages. */
  String name(int index) {
    return String.format(
        Locale.ROOT,
        "chunk %d of %d, %d bytes, %s",
        index,
        count(),
        chunks.get(index).content.length,
        name);
  }

  /** One to nine blocks. */
  int blocks() {
    return 1 + random.nextInt(9);
  }

  /** Launches a kernel over the chunks. Fails if the launch does. */
  void launch(String kernel, Object... more) {
    launchOn(blocks(), kernel, more);
  }

  /** Launches a kernel over the chunks, on so many blocks. Fails if the launch does. */
  void launchOn(int blocks, String kernel, Object... more) {
    List<Object> arguments = new ArrayList<>(List.of(table.address(), first.address(), count()));
    arguments.addAll(List.of(more));
    assertThat(Kernels.launch(kernel, blocks, arguments.toArray()))
        .as("code of %s on %d blocks, %s, %s", kernel, blocks, name, lengths())
        .isZero();
  }

  private List<Integer> lengths() {
    return chunks.stream().map(chunk -> chunk.content.length).toList();
  }

  /** Fails if a source changed, or if a byte beside a source or target was written. */
  void assertSourcesAndMarginsAreIntact() {
    for (int i = 0; i < count(); i++) {
      assertThat(chunks.get(i).source.get()).as("source of " + name(i)).isEqualTo(content(i));
      chunks.get(i).source.assertNothingBesideItChanged("the source of " + name(i));
      chunks.get(i).target.assertNothingBesideItChanged("the target of " + name(i));
    }
  }

  private byte[] content(int index) {
    return chunks.get(index).content;
  }

  @Override
  public void close() {
    chunks.forEach(chunk -> chunk.source.close());
    chunks.forEach(chunk -> chunk.target.close());
    table.close();
    first.close();
  }
}
