package io.cairn;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
  /** The first example of FIPS 180-2, appendix B. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void isSha256() {
    assertThat(Digest.of("abc".getBytes(US_ASCII))).hasToString(ABC);
  }

  @Test
  void coversAndConsumesTheRemainingBytes() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(5).put("xabcy".getBytes(US_ASCII));
    bytes.position(1).limit(4);
    assertThat(Digest.of(bytes).hex()).isEqualTo(ABC);
    assertThat(bytes.hasRemaining()).isFalse();
  }

  @Test
  void binaryFormHasThirtyTwoBytes() {
    assertThat(new Digest(ABC).toBytes())
        .hasSize(Digest.BYTES)
        .isEqualTo(HexFormat.of().parseHex(ABC));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ba78",
        "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
        "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n"
      })
  void refusesOtherForms(String hex) {
    assertThatThrownBy(() -> new Digest(hex)).hasMessageContaining("not a SHA-256 digest");
  }
}
