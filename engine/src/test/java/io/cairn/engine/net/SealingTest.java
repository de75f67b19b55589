package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.Provider;
import java.security.Security;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that were replayed, exchanged, cut or changed are not opened. */
class SealingTest {
  private static final byte[] KEY = new byte[PeerSecret.PROOF_BYTES];

  private final Sealing sender = new Sealing(KEY, 0);
  private final Sealing receiver = new Sealing(KEY, 0);

  private static ByteBuffer plain(int bytes, int seed) {
    ByteBuffer plain = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      plain.put(i, (byte) (i * 31 + seed));
    }
    return plain;
  }

  private static ByteBuffer seal(Sealing sealing, ByteBuffer plain) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(Sealing.RECORD_BYTES);
    sealing.seal(plain.duplicate(), record);
    return record.flip();
  }

  private static ByteBuffer open(Sealing sealing, ByteBuffer record) throws IOException {
    ByteBuffer plain = ByteBuffer.allocate(Sealing.PLAIN_BYTES);
    sealing.open(record.duplicate().position(Sealing.LENGTH_BYTES), plain);
    return plain.flip();
  }

  private void assertRefused(ByteBuffer record) {
    assertThatThrownBy(() -> open(receiver, record))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not prove the secret");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 1000, Sealing.PLAIN_BYTES})
  void recordsAreOpenedInTheirOrder(int bytes) throws Exception {
    for (int i = 0; i < 3; i++) {
      ByteBuffer record = seal(sender, plain(bytes, i));

      assertThat(record.getInt(0)).isEqualTo(bytes);
      assertThat(open(receiver, record)).isEqualTo(plain(bytes, i));
    }
  }

  @Test
  void aRecordIsNotOpenedTwice() throws Exception {
    ByteBuffer record = seal(sender, plain(100, 1));
    open(receiver, record);

    assertRefused(record);
  }

  @Test
  void aLaterRecordIsNotOpenedFirst() throws Exception {
    seal(sender, plain(100, 1));

    assertRefused(seal(sender, plain(100, 2)));
  }

  @Test
  void aRecordThatWasCutIsNotOpened() throws Exception {
    ByteBuffer record = seal(sender, plain(100, 1));

    assertRefused(record.limit(record.limit() - 1));
    ByteBuffer shorterThanATag = record.limit(Sealing.LENGTH_BYTES + 3);
    assertThatThrownBy(() -> open(new Sealing(KEY, 0), shorterThanATag))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not prove the secret");
  }

  @Test
  void aChangedBitIsNoticedWhereverItLies() throws Exception {
    for (int at = Sealing.LENGTH_BYTES; at < Sealing.LENGTH_BYTES + 100 + Sealing.TAG_BYTES; at++) {
      ByteBuffer record = seal(new Sealing(KEY, 0), plain(100, 1));
      Sealing fresh = new Sealing(KEY, 0);
      record.put(at, (byte) (record.get(at) ^ 4));

      assertThatThrownBy(() -> open(fresh, record)).isInstanceOf(IOException.class);
    }
  }

  /** A nonce that came twice would reveal both records. */
  @Test
  void theConnectionEndsBeforeItsNumbersDo() throws Exception {
    Sealing last = new Sealing(KEY, Sealing.MOST_RECORDS - 1);
    seal(last, plain(10, 1));

    assertThatThrownBy(() -> seal(last, plain(10, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("connect anew");
  }

  /** The secret and the greeting do not give the keys. */
  @Test
  void theKeysDependOnTheAgreement() throws Exception {
    PeerSecret secret = PeerSecret.of(Optional.of("a secret of the job"));
    byte[] said = {1, 2, 3};
    KeyShare one = KeyShare.fresh();
    KeyShare other = KeyShare.fresh();
    Session ofOne = Session.of(secret, said, one, other.bytes());
    Session ofOther = Session.of(secret, said, other, one.bytes());
    Session ofStranger = Session.of(secret, said, KeyShare.fresh(), one.bytes());
    ByteBuffer record = seal(opened(ofOne.toServer()), plain(100, 1));

    assertThat(open(opened(ofOther.toServer()), record)).isEqualTo(plain(100, 1));
    assertThatThrownBy(() -> open(opened(ofStranger.toServer()), record))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> open(opened(ofOther.toClient()), record))
        .as("the other direction")
        .isInstanceOf(IOException.class);
  }

  /** Such as one of which a module was left out. */
  @Test
  void aJavaThatCannotAgreeOnKeysSealsNothing() throws Exception {
    PeerSecret sealed = PeerSecret.of(Optional.of("a secret of the job"));
    PeerSecret plain = PeerSecret.derived("a secret of the job", false, "the secret of a test");
    Provider curves = Security.getProvider("SunEC");
    Security.removeProvider("SunEC");
    try {
      assertThatThrownBy(() -> new TcpPeerClient(sealed, PeerLimits.DEFAULT).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("jdk.crypto.ec");
      assertThatThrownBy(() -> transport(sealed).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("jdk.crypto.ec");
      transport(plain).close();
    } finally {
      Security.insertProviderAt(curves, 3);
    }
  }

  private static TcpPeerTransport transport(PeerSecret secret) throws IOException {
    return TcpPeerTransport.open("127.0.0.1", 0, secret, new Landings(), PeerLimits.DEFAULT);
  }

  private static Sealing opened(@Nullable Sealing sealing) {
    if (sealing == null) {
      throw new AssertionError("nothing is sealed");
    }
    return sealing;
  }

  /** A point of small order (RFC 7748, 6.1) would make the key known to anybody. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      })
  void aShareThatAgreesOnNothingIsRefused(String share) {
    assertThatThrownBy(() -> KeyShare.fresh().agree(HexFormat.of().parseHex(share)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("share");
  }
}
