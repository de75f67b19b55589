package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.format.CertificateCodec;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificatesTest {
  private static final CheckpointId FIRST = Written.id(1, 10);
  private static final CheckpointId SECOND = Written.id(1, 20);

  private final MemoryStore store = new MemoryStore("m");
  private final Certificates certificates = new Certificates(store);

  private Digest manifest(CheckpointId id) {
    return Digest.of(store.content(StoreNames.file(id, StoreNames.MANIFEST)));
  }

  private static Digest digest(String of) {
    return Digest.of(of.getBytes(StandardCharsets.US_ASCII));
  }

  private static Certificate certificate(Digest manifest, String weights) {
    return new Certificate(
        SECOND,
        manifest,
        Optional.of(new Certificate.Predecessor(FIRST, digest("first"), true)),
        new TreeMap<>(Map.of("weights", digest(weights), "state", digest("state"))),
        new TreeMap<>(Map.of("openmp-threads", "2", "java", "17.0.1 of some vendor")));
  }

  @Test
  void aCertificateIsReadAsItWasWritten() throws IOException {
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    Certificate certificate = certificate(manifest(SECOND), "w");

    assertThat(certificates.read(SECOND)).isEmpty();
    assertThat(certificates.write(certificate)).isTrue();

    assertThat(certificates.read(SECOND)).contains(certificate);
    assertThat(
            new String(store.content(StoreNames.file(SECOND, "CERTIFIED")), StandardCharsets.UTF_8))
        .startsWith("cairn-certificate 1\ncheckpoint 1 20 " + manifest(SECOND))
        .contains("\nfrom 1 10 " + digest("first") + " certified\nregion state ");
  }

  @Test
  void oneFromTheStartHasNoPredecessor() throws IOException {
    Certificate certificate =
        new Certificate(
            FIRST,
            digest("m"),
            Optional.empty(),
            new TreeMap<>(Map.of("weights", digest("w"))),
            new TreeMap<>());

    assertThat(CertificateCodec.decode(CertificateCodec.encode(certificate), Written.GROUP, "here"))
        .isEqualTo(certificate);
  }

  @Test
  void theFirstCertificateStays() throws IOException {
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    certificates.write(certificate(manifest(SECOND), "first"));

    assertThat(certificates.write(certificate(manifest(SECOND), "second"))).isTrue();

    assertThat(certificates.read(SECOND)).contains(certificate(manifest(SECOND), "first"));
  }

  /** Its writer was killed. */
  @Test
  void aDamagedCertificateIsReplaced() throws IOException {
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    Certificate certificate = certificate(manifest(SECOND), "w");
    store.create(StoreNames.file(SECOND, StoreNames.CERTIFIED)).close();
    assertThatThrownBy(() -> certificates.read(SECOND)).isInstanceOf(FormatException.class);

    assertThat(certificates.write(certificate)).isTrue();

    assertThat(certificates.read(SECOND)).contains(certificate);
    assertThat(store.files.keySet()).noneMatch(path -> path.contains("/."));
  }

  @Test
  void aCheckpointThatIsGoneOrAnotherGetsNone() throws IOException {
    assertThat(certificates.write(certificate(digest("gone"), "w"))).isFalse();
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    assertThat(certificates.write(certificate(digest("another"), "w"))).isFalse();

    assertThat(certificates.read(SECOND)).isEmpty();
  }

  /**
   * Another process deletes the checkpoint before each operation: all of it, or at first its
   * manifest, as a retention that listed the directory before.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeletionMeanwhileLeavesNoCertificate(boolean whole) throws IOException {
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    Certificate certificate = certificate(manifest(SECOND), "w");
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(new Certificates(counting).write(certificate)).isTrue();

    for (int strikes = 0; strikes < counting.count(); strikes++) {
      MemoryStore copy = store.copy();
      FaultyStore slow = new FaultyStore(copy);
      slow.before(strikes, () -> delete(copy, whole));

      boolean written = new Certificates(slow).write(certificate);

      assertThat(copy.files)
          .as("%d", strikes)
          .doesNotContainKey(StoreNames.file(SECOND, "CERTIFIED"));
      assertThat(written).as("strikes %d", strikes).isFalse();
    }
  }

  private static void delete(MemoryStore store, boolean whole) {
    if (whole) {
      store.deleteDirectory(StoreNames.checkpoint(SECOND));
    } else {
      store.delete(StoreNames.file(SECOND, StoreNames.MANIFEST));
    }
  }

  @Test
  void retentionTakesACertificateWithItsCheckpoint() throws IOException {
    Written.sealed(store, SECOND, 1, Ancestry.NONE);
    certificates.write(certificate(manifest(SECOND), "w"));
    Written.sealed(store, Written.id(1, 30), 1, Ancestry.NONE);

    new Retention(store).apply(Written.GROUP, 1, 1);

    assertThat(store.files.keySet()).noneMatch(path -> path.contains(SECOND.directory()));
  }

  @Test
  void everyDamagedBitIsNoticed() {
    byte[] text = CertificateCodec.encode(certificate(digest("m"), "w"));
    for (int bit = 0; bit < text.length * Byte.SIZE; bit++) {
      byte[] damaged = text.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);

      int struck = bit;
      assertThatThrownBy(() -> CertificateCodec.decode(damaged, Written.GROUP, "here"))
          .as("bit %d", struck)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("here");
    }
  }

  @Test
  void everyTruncatedTextIsNoticed() {
    byte[] text = CertificateCodec.encode(certificate(digest("m"), "w"));
    for (int length = 0; length < text.length; length++) {
      byte[] cut = Arrays.copyOf(text, length);

      assertThatThrownBy(() -> CertificateCodec.decode(cut, Written.GROUP, "here"))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void aPredecessorIsOlderAndOfTheSameGroup() {
    assertThatThrownBy(
            () ->
                new Certificate(
                    FIRST,
                    digest("m"),
                    Optional.of(new Certificate.Predecessor(SECOND, digest("m"), true)),
                    new TreeMap<>(Map.of("weights", digest("w"))),
                    new TreeMap<>()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
