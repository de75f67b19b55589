package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hashing kernels against hash4j's XXH3, and against values from Python's xxhash. */
class Hash128KernelTest {
  private static final int LEAF_BYTES = 8192;
  private static final int LEAVES_PER_PIECE = 8;
  private static final int ROOT_BYTES = 1024;

  @RepeatedTest(60)
  void hashesEveryLengthAtEveryAddress(RepetitionInfo repetition) {
    try (Chunks chunks = Chunks.of(repetition.getCurrentRepetition())) {
      List<String> found = hashes(chunks);

      for (int i = 0; i < chunks.count(); i++) {
        assertThat(found.get(i))
            .as(chunks.name(i))
            .isEqualTo(expected(chunks.list().get(i).content()));
      }
      chunks.assertSourcesAndMarginsAreIntact();
    }
  }

  /**
   * Byte i is 7 i + i / 251, cut to 8 bits. The values were computed by xxhash 4.0.1 for Python.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 0717191e67688313de5f15ab6daf7941",
    "1, 5b13e510b0ee14782726e44e77c720e3",
    "16, 6099976e3b9c8f55fad26eef08994e29",
    "8192, 9b95ecfd2d0c2c786f79006a2661dc3f",
    "8193, d18c75f109464c63a6eee805ba9f8608",
    "100000, 4eeec4602446fac033763dc13a8b6375"
  })
  void fixedValues(int length, String hash) {
    byte[] content = new byte[length];
    for (int i = 0; i < length; i++) {
      content[i] = (byte) (7 * i + i / 251);
    }
    try (Chunks chunks = Chunks.of(length, List.of(content), false)) {
      assertThat(hashes(chunks)).containsExactly(hash);
    }
    assertThat(expected(content)).isEqualTo(hash);
  }

  @Test
  void zerosAtTheEndCount() {
    List<byte[]> contents =
        IntStream.of(0, 1, 2, 8191, 8192, 8193, 65536, 65537).mapToObj(byte[]::new).toList();
    try (Chunks chunks = Chunks.of(5, contents, false)) {
      assertThat(hashes(chunks)).doesNotHaveDuplicates();
    }
  }

  /** One block takes 16 pieces at once, and one of the roots 128 chunks. */
  @RepeatedTest(4)
  void blocksTakeMoreThanTheyHoldAtOnce(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<byte[]> contents =
        IntStream.range(0, 300)
            .map(i -> i < 2 ? 1_200_000 + i : i % 40)
            .mapToObj(length -> Chunks.content(random, length))
            .toList();
    try (Chunks chunks = Chunks.of(repetition.getCurrentRepetition(), contents, false)) {
      List<String> found = hashes(chunks, 1);

      assertThat(found).isEqualTo(contents.stream().map(Hash128KernelTest::expected).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {127, 128, 129, 300})
  void rootsOfMoreChunksThanABlockTakes(int count) {
    List<byte[]> contents = IntStream.range(0, count).mapToObj(i -> new byte[i % 40]).toList();
    try (Chunks chunks = Chunks.of(count, contents, false)) {
      List<String> found = hashes(chunks);

      assertThat(found).isEqualTo(contents.stream().map(Hash128KernelTest::expected).toList());
    }
  }

  private static List<String> hashes(Chunks chunks) {
    return hashes(chunks, chunks.blocks());
  }

  private static List<String> hashes(Chunks chunks, int blocks) {
    int leafBytes = chunks.pieces() * LEAVES_PER_PIECE * 16;
    int hashBytes = chunks.count() * 16;
    try (GuardedMemory leaves = GuardedMemory.shifted(leafBytes, 0);
        GuardedMemory hashes = GuardedMemory.atEnd(hashBytes)) {
      chunks.launchOn(blocks, "cairn_hash128", leaves.address());
      chunks.launchOn(blocks, "cairn_hash128_roots", leaves.address(), hashes.address());
      leaves.assertNothingBesideItChanged("the leaves");
      hashes.assertNothingBesideItChanged("the hashes");
      return IntStream.range(0, chunks.count())
          .mapToObj(i -> hex(hashes.longWord(2 * i + 1), hashes.longWord(2 * i)))
          .toList();
    }
  }

  /** The hash, computed as {@code hash128.cu} describes it. */
  private static String expected(byte[] content) {
    int leaves = (content.length + LEAF_BYTES - 1) / LEAF_BYTES;
    int rootBytes = (16 + 16 * leaves + ROOT_BYTES - 1) / ROOT_BYTES * ROOT_BYTES;
    ByteBuffer root = ByteBuffer.allocate(rootBytes).order(ByteOrder.LITTLE_ENDIAN);
    root.putLong(content.length).putLong(0);
    for (int leaf = 0; leaf < leaves; leaf++) {
      int from = leaf * LEAF_BYTES;
      int to = Math.min(content.length, from + LEAF_BYTES);
      HashValue128 hash = xxh3(Arrays.copyOf(Arrays.copyOfRange(content, from, to), LEAF_BYTES));
      root.putLong(hash.getLeastSignificantBits()).putLong(hash.getMostSignificantBits());
    }
    HashValue128 hash = xxh3(root.array());
    return hex(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
  }

  private static HashValue128 xxh3(byte[] text) {
    return Hashing.xxh3_128().hashBytesTo128Bits(text);
  }

  private static String hex(long high, long low) {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }
}
