package io.cairn.core.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Damages a message's bytes and checks that a decoder refuses them or reads a message.
 *
 * @param refusal beginning of the decoders' refusals
 * @param seed of the damage; failures name it
 */
public record Damage(String refusal, long seed) {
  private static final int MOST_CUTS = 40;
  private static final int MUTATIONS = 20;
  private static final int MOST_FLIPS = 3;

  /**
   * A cut message and one byte more are refused; flipped bits are, or are a message. Of a long
   * message the seed chooses the cuts.
   */
  public void of(byte[] good, Function<byte[], Object> decoder) {
    SplittableRandom random = new SplittableRandom(seed);
    int step = 1 + good.length / MOST_CUTS;
    for (int length = random.nextInt(step); length < good.length; length += step) {
      refused(Arrays.copyOf(good, length), decoder, "cut to " + length);
    }
    refused(Arrays.copyOf(good, good.length - 1), decoder, "cut by one byte");
    refused(Arrays.copyOf(good, good.length + 1), decoder, "one byte more");
    for (int mutation = 0; mutation < MUTATIONS; mutation++) {
      byte[] damaged = good.clone();
      for (int flips = random.nextInt(1, MOST_FLIPS + 1); flips > 0; flips--) {
        damaged[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
      }
      readOrRefused(damaged, decoder, "mutation " + mutation);
    }
  }

  private void refused(byte[] bytes, Function<byte[], Object> decoder, String what) {
    Object read;
    try {
      read = decoder.apply(bytes);
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new AssertionError(
        String.format(Locale.ROOT, "seed %d, %s: read as %s", seed, what, read));
  }

  /** Bytes that are no message are refused; some damage gives another message. */
  public void readOrRefused(byte[] bytes, Function<byte[], Object> decoder, String what) {
    Object read;
    try {
      read = decoder.apply(bytes);
    } catch (RuntimeException e) {
      // compared plainly, since there are hundreds of thousands
      if (e.getClass() != IllegalArgumentException.class
          || !String.valueOf(e.getMessage()).startsWith(refusal)) {
        throw new AssertionError(
            String.format(Locale.ROOT, "seed %d, %s: not refused as %s", seed, what, refusal), e);
      }
      return;
    }
    if (read == null) {
      throw new AssertionError(String.format(Locale.ROOT, "seed %d, %s: read as null", seed, what));
    }
  }
}
