package io.cairn.cache.memory;

import io.cairn.Region;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Spans of host memory of every kind, length and alignment, with random bytes. */
public final class GatheredSpans {
  private final List<Object> spans = new ArrayList<>();

  private GatheredSpans() {}

  /** Some dozens, many of them a few bytes long or empty. */
  public static GatheredSpans random(long seed) {
    Random random = new Random(seed);
    int longest = 1 << random.nextInt(12);
    int count = 2 + random.nextInt(80);
    List<Integer> lengths = new ArrayList<>();
    for (int span = 0; span < count; span++) {
      lengths.add(random.nextInt(6) == 0 ? 0 : random.nextInt(longest + 1));
    }
    lengths.add(1 + random.nextInt(longest));
    return of(lengths, random);
  }

  /**
   * Spans of these lengths.
   *
   * @param lengths in elements
   */
  public static GatheredSpans of(List<Integer> lengths, Random random) {
    GatheredSpans all = new GatheredSpans();
    for (int length : lengths) {
      Object span = memory(random.nextInt(9), length);
      all.spans.add(span);
      all.write(span, random);
    }
    return all;
  }

  private static Object memory(int kind, int length) {
    return switch (kind) {
      case 0 -> new byte[length];
      case 1 -> new short[length];
      case 2 -> new char[length];
      case 3 -> new int[length];
      case 4 -> new long[length];
      case 5 -> new float[length];
      case 6 -> new double[length];
      case 7 -> ByteBuffer.allocateDirect(length);
      default -> ByteBuffer.allocate(length + 3).position(3).slice();
    };
  }

  /** Memory of which a copy throws when it is under way. */
  public static HostMemory shorterThanItSays(int bytes) {
    return new ArrayMemory(ArrayKind.BYTE, new byte[bytes - 1], 0, bytes);
  }

  /** All of them as one region. */
  public Region.Gather region(String name) {
    return (Region.Gather) Region.gather(name, spans);
  }

  /** Their bytes, one span after the other. */
  public byte[] image() {
    ByteArrayOutputStream image = new ByteArrayOutputStream();
    for (Object span : spans) {
      HostMemory memory = HostMemory.of(new Region.Memory("span", span));
      byte[] bytes = new byte[(int) memory.bytes()];
      NativeSpan copy = new NativeSpan(ByteBuffer.allocateDirect(bytes.length));
      memory.copyTo(0, copy, 0, bytes.length);
      copy.bytes().get(0, bytes);
      image.writeBytes(bytes);
    }
    return image.toByteArray();
  }

  /** Writes other bytes to all of them. */
  public void scramble(long seed) {
    Random random = new Random(seed);
    spans.forEach(span -> write(span, random));
  }

  private void write(Object span, Random random) {
    HostMemory memory = HostMemory.of(new Region.Memory("span", span));
    byte[] bytes = new byte[(int) memory.bytes()];
    random.nextBytes(bytes);
    memory.copyFrom(
        0, new NativeSpan(ByteBuffer.allocateDirect(bytes.length).put(0, bytes)), 0, bytes.length);
  }
}
