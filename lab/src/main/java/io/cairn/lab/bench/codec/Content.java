package io.cairn.lab.bench.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** The kinds of bytes that a chunk may hold. */
enum Content {
  /** Bytes that nothing foretells. */
  RANDOM_BYTES("random bytes"),
  /** Floats of equal likelihood between 0 and 1. */
  RANDOM_FLOATS("random floats, 0 to 1"),
  /** Floats around 0 with a deviation of 0.05. */
  WEIGHTS("weights, normal"),
  /** Half of them exactly zero, as after a ReLU. */
  SPARSE("weights, half of them 0"),
  /** Doubles around 0 with a deviation of 0.05. */
  DOUBLES("weights in double"),
  /** Integers below 1000. */
  INTEGERS("integers below 1000"),
  /** No byte was ever written. */
  ZEROS("zeros");

  /** Those that may be rounded. */
  static final List<Content> NUMBERS = List.of(RANDOM_FLOATS, WEIGHTS, SPARSE, DOUBLES);

  private final String label;

  Content(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** A direct buffer of so many bytes, a multiple of 8, in native order; equal for equal seeds. */
  ByteBuffer chunk(int bytes, long seed) {
    Random random = new Random(seed);
    ByteBuffer chunk = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    while (chunk.hasRemaining()) {
      put(chunk, random);
    }
    return chunk.flip();
  }

  private void put(ByteBuffer chunk, Random random) {
    switch (this) {
      case RANDOM_BYTES -> chunk.putLong(random.nextLong());
      case RANDOM_FLOATS -> chunk.putFloat(random.nextFloat());
      case WEIGHTS -> chunk.putFloat((float) (random.nextGaussian() * 0.05));
      case SPARSE ->
          chunk.putFloat(random.nextBoolean() ? 0 : (float) (random.nextGaussian() * 0.05));
      case DOUBLES -> chunk.putDouble(random.nextGaussian() * 0.05);
      case INTEGERS -> chunk.putInt(random.nextInt(1000));
      case ZEROS -> chunk.putLong(0);
    }
  }
}
