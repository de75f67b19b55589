package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.cuda.Chunks.Chunk;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The copying kernel against the JDK's CRC32C, and its weights against plain polynomials. */
class Crc32cKernelTest {
  /** CRC32C's polynomial, the coefficient of x^n at bit n. */
  private static final BigInteger POLYNOMIAL = new BigInteger("11edc6f41", 16);

  @RepeatedTest(60)
  void copiesAndChecksumsEveryLengthAtEveryAddress(RepetitionInfo repetition) {
    try (Chunks chunks = Chunks.of(repetition.getCurrentRepetition());
        GuardedMemory crcs = zeros(chunks.count())) {
      chunks.launch("cairn_copy_crc32c", crcs.address());

      assertChecksums(chunks, crcs);
      for (int i = 0; i < chunks.count(); i++) {
        Chunk chunk = chunks.list().get(i);
        assertThat(chunk.target().get()).as(chunks.name(i)).isEqualTo(chunk.content());
      }
      chunks.assertSourcesAndMarginsAreIntact();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 16, 17, 40})
  void anyNumberOfBlocksSharesChunks(int blocks) {
    List<byte[]> contents =
        List.of(noise(1, 1_000_001), noise(2, 0), noise(3, 5), noise(4, 70_000));
    try (Chunks chunks = Chunks.of(blocks, contents, true);
        GuardedMemory crcs = zeros(chunks.count())) {
      chunks.launchOn(blocks, "cairn_copy_crc32c", crcs.address());

      assertChecksums(chunks, crcs);
    }
  }

  @Test
  void aChunkWithoutTargetIsOnlyRead() {
    try (Chunks chunks = Chunks.of(1, List.of(noise(1, 70_001), noise(2, 9)), false);
        GuardedMemory crcs = zeros(chunks.count())) {
      byte[] before = chunks.list().get(0).target().get();

      chunks.launch("cairn_copy_crc32c", crcs.address());

      assertChecksums(chunks, crcs);
      assertThat(chunks.list().get(0).target().get()).isEqualTo(before);
    }
  }

  @Test
  void weightsAreThePowersOfX() {
    Random random = new Random(3);
    for (int k = 0; k < 48; k++) {
      for (long bytes : new long[] {1L << k, (1L << k) | (random.nextLong() >>> (63 - k))}) {
        int weight = Kernels.function("cairn_crc_weight").invokeInt(new Object[] {bytes});

        assertThat(weight).as("x^(8 * %d)", bytes).isEqualTo(reflected(powerOfX(8 * bytes)));
      }
    }
  }

  private static void assertChecksums(Chunks chunks, GuardedMemory crcs) {
    for (int i = 0; i < chunks.count(); i++) {
      CRC32C expected = new CRC32C();
      expected.update(chunks.list().get(i).content());
      assertThat(Integer.toHexString(crcs.word(i)))
          .as(chunks.name(i))
          .isEqualTo(Integer.toHexString((int) expected.getValue()));
    }
    crcs.assertNothingBesideItChanged("the checksums");
  }

  private static GuardedMemory zeros(int words) {
    int bytes = words * Integer.BYTES;
    return GuardedMemory.atEnd(bytes).put(new byte[bytes]);
  }

  private static byte[] noise(long seed, int length) {
    byte[] noise = new byte[length];
    new Random(seed).nextBytes(noise);
    return noise;
  }

  /** x^n modulo the polynomial, by squares. */
  private static BigInteger powerOfX(long n) {
    BigInteger power = BigInteger.ONE;
    for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
      power = remainder(square(power));
      if ((n >>> bit & 1) != 0) {
        power = remainder(power.shiftLeft(1));
      }
    }
    return power;
  }

  private static BigInteger square(BigInteger a) {
    BigInteger square = BigInteger.ZERO;
    for (int bit = 0; bit < a.bitLength(); bit++) {
      square = a.testBit(bit) ? square.setBit(2 * bit) : square;
    }
    return square;
  }

  private static BigInteger remainder(BigInteger a) {
    BigInteger rest = a;
    while (rest.bitLength() >= POLYNOMIAL.bitLength()) {
      rest = rest.xor(POLYNOMIAL.shiftLeft(rest.bitLength() - POLYNOMIAL.bitLength()));
    }
    return rest;
  }

  private static int reflected(BigInteger a) {
    return Integer.reverse(a.intValue());
  }
}
