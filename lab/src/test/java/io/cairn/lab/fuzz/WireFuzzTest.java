package io.cairn.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cairn.core.wire.Wire;
import java.util.function.Function;

/**
 * Messages between processes. A message that is read can be written, and read again as the same.
 */
class WireFuzzTest {
  @FuzzTest
  void peerRequest(byte[] bytes) {
    read(bytes, Wire::decodePeerRequest, Wire::encode);
  }

  @FuzzTest
  void peerReply(byte[] bytes) {
    read(bytes, Wire::decodePeerReply, Wire::encode);
  }

  @FuzzTest
  void span(byte[] bytes) {
    read(bytes, Wire::decodeSpan, Wire::encode);
  }

  @FuzzTest
  void exchangeRequest(byte[] bytes) {
    read(bytes, Wire::decodeExchangeRequest, Wire::encode);
  }

  @FuzzTest
  void exchangeReply(byte[] bytes) {
    read(bytes, Wire::decodeExchangeReply, Wire::encode);
  }

  @FuzzTest
  void standbyRequest(byte[] bytes) {
    read(bytes, Wire::decodeStandbyRequest, Wire::encode);
  }

  @FuzzTest
  void standbyReply(byte[] bytes) {
    read(bytes, Wire::decodeStandbyReply, Wire::encode);
  }

  private static <M> void read(
      byte[] bytes, Function<byte[], M> decode, Function<M, byte[]> encode) {
    AnyBytes.read(
        bytes.length,
        IllegalArgumentException.class,
        () -> {
          M message = decode.apply(bytes);
          byte[] written = encode.apply(message);
          assertThat(encode.apply(decode.apply(written))).isEqualTo(written);
        });
  }
}
