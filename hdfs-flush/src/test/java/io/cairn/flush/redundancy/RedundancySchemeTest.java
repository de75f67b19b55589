package io.cairn.flush.redundancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every loss that a code promises to survive, byte by byte. */
class RedundancySchemeTest {
  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static List<byte[]> data(Random random, int pieces) {
    int bytes = 1 + random.nextInt(random.nextBoolean() ? 200 : 10_000);
    List<byte[]> data = new ArrayList<>();
    for (int piece = 0; piece < pieces; piece++) {
      byte[] made = new byte[bytes];
      random.nextBytes(made);
      data.add(made);
    }
    return data;
  }

  /** All pieces: the data, then the parities. */
  private static List<byte[]> encoded(RedundancyScheme code, List<byte[]> data) {
    List<byte[]> all = new ArrayList<>(data);
    for (int parity = 0; parity < code.parities(); parity++) {
      List<Optional<ByteBuffer>> present = absent(code);
      for (int piece = 0; piece < code.data(); piece++) {
        present.set(piece, Optional.of(direct(data.get(piece))));
      }
      all.add(compute(code, present, code.data() + parity, data.get(0).length));
    }
    return all;
  }

  private static List<Optional<ByteBuffer>> absent(RedundancyScheme code) {
    return new ArrayList<>(Collections.nCopies(code.data() + code.parities(), Optional.empty()));
  }

  private static byte[] compute(
      RedundancyScheme code, List<Optional<ByteBuffer>> present, int wanted, int bytes) {
    ByteBuffer into = ByteBuffer.allocateDirect(bytes);
    code.compute(present, wanted, into);
    assertThat(into.remaining()).isZero();
    byte[] computed = new byte[bytes];
    into.flip().get(computed);
    return computed;
  }

  /** Recomputes each lost piece from the first survivors. */
  private static void requireSurvived(
      RedundancyScheme code, List<byte[]> all, Set<Integer> lost, String described) {
    for (int wanted : lost) {
      List<Optional<ByteBuffer>> present = absent(code);
      int left = code.data();
      for (int piece = 0; piece < all.size() && left > 0; piece++) {
        if (!lost.contains(piece)) {
          present.set(piece, Optional.of(direct(all.get(piece))));
          left--;
        }
      }
      assertThat(compute(code, present, wanted, all.get(0).length))
          .as("%s: piece %d after the loss of %s", described, wanted, lost)
          .isEqualTo(all.get(wanted));
    }
  }

  @RepeatedTest(20)
  void xorSurvivesTheLossOfAnyPiece(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    RedundancyScheme code = RedundancyScheme.of("xor", 1 + random.nextInt(7), 1);
    List<byte[]> all = encoded(code, data(random, code.data()));

    for (Set<Integer> lost : Losses.upTo(1, all.size())) {
      requireSurvived(code, all, lost, "xor of " + code.data() + ", seed " + seed);
    }
  }

  @RepeatedTest(20)
  void reedSolomonSurvivesTheLossOfAsManyPiecesAsThereAreParities(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    RedundancyScheme code = RedundancyScheme.of("rs", 1 + random.nextInt(6), 1 + random.nextInt(3));
    List<byte[]> all = encoded(code, data(random, code.data()));

    for (Set<Integer> lost : Losses.upTo(code.parities(), all.size())) {
      requireSurvived(
          code,
          all,
          lost,
          String.format(Locale.ROOT, "rs of %d + %d, seed %d", code.data(), code.parities(), seed));
    }
  }

  @RepeatedTest(10)
  void theParityOfXorIsTheExclusiveOrOfTheData(RepetitionInfo repetition) {
    List<byte[]> data = data(new Random(repetition.getCurrentRepetition()), 5);
    byte[] expected = new byte[data.get(0).length];
    for (byte[] piece : data) {
      for (int at = 0; at < piece.length; at++) {
        expected[at] ^= piece[at];
      }
    }

    List<byte[]> all = encoded(new XorCode(5), data);

    assertThat(all.get(5)).isEqualTo(expected);
  }

  /** Multiplication in the field of 256 elements with the polynomial 0x11d, bit by bit. */
  private static int times(int one, int other) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product = product << 1 ^ ((product & 0x80) == 0 ? 0 : 0x11d);
      product ^= (other & 1 << bit) == 0 ? 0 : one;
    }
    return product;
  }

  private static int inverse(int of) {
    for (int each = 1; each < 256; each++) {
      if (times(each, of) == 1) {
        return each;
      }
    }
    throw new AssertionError("no inverse of " + of);
  }

  /** The coefficients are those of a Cauchy matrix, so that files outlive a library's version. */
  @RepeatedTest(10)
  void theParitiesOfReedSolomonAreThoseOfACauchyMatrix(RepetitionInfo repetition) {
    int data = 4;
    int parities = 2;
    List<byte[]> pieces = data(new Random(repetition.getCurrentRepetition()), data);

    List<byte[]> all = encoded(new ReedSolomonCode(data, parities), pieces);

    for (int parity = 0; parity < parities; parity++) {
      byte[] expected = new byte[pieces.get(0).length];
      for (int piece = 0; piece < data; piece++) {
        int coefficient = inverse(data + parity ^ piece);
        for (int at = 0; at < expected.length; at++) {
          expected[at] ^= (byte) times(coefficient, pieces.get(piece)[at] & 0xff);
        }
      }
      assertThat(all.get(data + parity)).as("parity " + parity).isEqualTo(expected);
    }
  }

  /** Copies that earlier versions made were computed by Hadoop, and stay readable. */
  @RepeatedTest(40)
  void reedSolomonComputesWhatHadoopComputes(RepetitionInfo repetition) throws IOException {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    boolean most = seed == 1;
    int data = most ? RedundancyScheme.MOST_PIECES : 1 + random.nextInt(20);
    int parities = most ? RedundancyScheme.MOST_PIECES : 1 + random.nextInt(20);
    List<Integer> order = new ArrayList<>();
    for (int piece = 0; piece < data + parities; piece++) {
      order.add(piece);
    }
    Collections.shuffle(order, random);
    RedundancyScheme code = new ReedSolomonCode(data, parities);
    List<Optional<ByteBuffer>> present = absent(code);
    byte[][] theirs = new byte[data + parities][];
    List<byte[]> survivors = data(random, data);
    for (int i = 0; i < data; i++) {
      present.set(order.get(i), Optional.of(direct(survivors.get(i))));
      theirs[order.get(i)] = survivors.get(i).clone();
    }
    int bytes = survivors.get(0).length;
    for (int wanted : order.subList(data, order.size())) {
      byte[] expected = new byte[bytes];
      new RSRawErasureCoderFactory()
          .createDecoder(new ErasureCoderOptions(data, parities))
          .decode(theirs, new int[] {wanted}, new byte[][] {expected});

      assertThat(compute(code, present, wanted, bytes))
          .as("rs of %s + %s, seed %s, piece %s", data, parities, seed, wanted)
          .isEqualTo(expected);
    }
  }

  /** Loads the codes anew, and no class of Hadoop. */
  private static final class WithoutHadoop extends URLClassLoader {
    WithoutHadoop() {
      super(
          new URL[] {RedundancyScheme.class.getProtectionDomain().getCodeSource().getLocation()},
          RedundancyScheme.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.apache.hadoop.")) {
        throw new ClassNotFoundException(name);
      }
      if (name.startsWith("io.cairn.flush.redundancy.")) {
        synchronized (getClassLoadingLock(name)) {
          Class<?> known = findLoadedClass(name);
          return known == null ? findClass(name) : known;
        }
      }
      return super.loadClass(name, resolve);
    }
  }

  /** A process whose STORE is a local directory needs no Hadoop. */
  @ParameterizedTest
  @CsvSource({"xor,1", "rs,2"})
  void codesNeedNoHadoop(String name, int parities) throws Exception {
    ByteBuffer into = ByteBuffer.allocateDirect(3);
    try (WithoutHadoop loader = new WithoutHadoop()) {
      Class<?> scheme = loader.loadClass(RedundancyScheme.class.getName());
      Object code =
          scheme
              .getMethod("of", String.class, int.class, int.class)
              .invoke(null, name, 1, parities);
      List<Optional<ByteBuffer>> present = new ArrayList<>();
      present.add(Optional.of(direct(new byte[] {1, 2, 3})));
      present.addAll(Collections.nCopies(parities, Optional.empty()));

      scheme
          .getMethod("compute", List.class, int.class, ByteBuffer.class)
          .invoke(code, present, 1, into);
    }

    assertThat(into.remaining()).isZero();
  }

  @Test
  void onePieceOfXorIsCopied() {
    byte[] data = {1, 2, 3};

    assertThat(encoded(new XorCode(1), List.of(data)).get(1)).isEqualTo(data);
  }

  @Test
  void positionsOfTheSurvivorsStay() {
    ByteBuffer one = direct(new byte[] {9, 9, 1, 2});
    one.position(2);
    ByteBuffer into = ByteBuffer.allocateDirect(8).position(3);

    new XorCode(1).compute(List.of(Optional.of(one), Optional.empty()), 1, into);

    assertThat(one.position()).isEqualTo(2);
    assertThat(into.position()).isEqualTo(5);
    assertThat(into.get(3)).isEqualTo((byte) 1);
    assertThat(into.get(4)).isEqualTo((byte) 2);
  }

  @ParameterizedTest
  @CsvSource({"xor,0,1", "xor,4,2", "xor,65,1", "rs,0,1", "rs,4,0", "rs,4,65", "raid,4,1"})
  void codesThatDoNotExistAreRefused(String name, int data, int parities) {
    assertThatThrownBy(() -> RedundancyScheme.of(name, data, parities))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"xor,1", "rs,2"})
  void tooFewPiecesAreRefused(String name, int parities) {
    RedundancyScheme code = RedundancyScheme.of(name, 3, parities);
    List<Optional<ByteBuffer>> present = absent(code);
    present.set(0, Optional.of(direct(new byte[4])));
    present.set(1, Optional.of(direct(new byte[4])));

    assertThatThrownBy(() -> code.compute(present, 2, ByteBuffer.allocateDirect(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs 3 pieces");
  }

  @ParameterizedTest
  @CsvSource({"xor,1", "rs,2"})
  void piecesOfDifferentLengthAreRefused(String name, int parities) {
    RedundancyScheme code = RedundancyScheme.of(name, 2, parities);
    List<Optional<ByteBuffer>> present = absent(code);
    present.set(0, Optional.of(direct(new byte[4])));
    present.set(2, Optional.of(direct(new byte[5])));

    assertThatThrownBy(() -> code.compute(present, 1, ByteBuffer.allocateDirect(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("equal length");
  }

  @Test
  void aPieceThatIsPresentIsNotComputed() {
    List<Optional<ByteBuffer>> present =
        Arrays.asList(Optional.of(direct(new byte[4])), Optional.empty());

    assertThatThrownBy(() -> new XorCode(1).compute(present, 0, ByteBuffer.allocateDirect(4)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
