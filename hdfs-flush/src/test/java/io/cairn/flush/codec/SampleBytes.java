package io.cairn.flush.codec;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Made-up contents of chunks. */
public enum SampleBytes {
  /** No byte can be foreseen. */
  RANDOM {
    @Override
    byte[] whole(int bytes, SplittableRandom random) {
      byte[] content = new byte[bytes];
      random.nextBytes(content);
      return content;
    }
  },
  /** All zero, as state that no update has touched. */
  ZEROS {
    @Override
    byte[] whole(int bytes, SplittableRandom random) {
      return new byte[bytes];
    }
  },
  /** Floats around 0, as trained weights. */
  WEIGHTS {
    @Override
    byte[] whole(int bytes, SplittableRandom random) {
      ByteBuffer content = ByteBuffer.allocate(bytes);
      while (content.hasRemaining()) {
        content.putFloat((float) ((random.nextDouble() + random.nextDouble() - 1) * 0.05));
      }
      return content.array();
    }
  },
  /** Doubles around 0. */
  DOUBLES {
    @Override
    byte[] whole(int bytes, SplittableRandom random) {
      ByteBuffer content = ByteBuffer.allocate(bytes);
      while (content.hasRemaining()) {
        content.putDouble((random.nextDouble() - 0.5) * 0.05);
      }
      return content.array();
    }
  },
  /** Integers that rise slowly. */
  INTEGERS {
    @Override
    byte[] whole(int bytes, SplittableRandom random) {
      ByteBuffer content = ByteBuffer.allocate(bytes);
      int next = 0;
      while (content.hasRemaining()) {
        next += random.nextInt(3);
        content.putInt(next);
      }
      return content.array();
    }
  };

  /** Content whose length is a multiple of 8. */
  abstract byte[] whole(int bytes, SplittableRandom random);

  /** Content of any length, in a direct buffer from 0 to its limit. */
  public ByteBuffer direct(int bytes, SplittableRandom random) {
    byte[] content = whole((bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES, random);
    return ByteBuffer.allocateDirect(bytes).put(content, 0, bytes).flip();
  }
}
