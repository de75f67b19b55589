package io.cairn.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PageReport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;

/**
 * Messages between processes. A message that is read can be written, and read again as the same.
 */
class WireFuzzTest {
  @FuzzTest
  void peerRequest(byte[] bytes) {
    read(bytes, PeerRequest.class);
  }

  @FuzzTest
  void peerReply(byte[] bytes) {
    read(bytes, PeerReply.class);
  }

  @FuzzTest
  void span(byte[] bytes) {
    read(bytes, ChunkSpan.class);
  }

  @FuzzTest
  void exchangeRequest(byte[] bytes) {
    read(bytes, ExchangeRequest.class);
  }

  @FuzzTest
  void exchangeReply(byte[] bytes) {
    read(bytes, ExchangeReply.class);
  }

  @FuzzTest
  void standbyRequest(byte[] bytes) {
    read(bytes, StandbyRequest.class);
  }

  @FuzzTest
  void standbyReply(byte[] bytes) {
    read(bytes, StandbyReply.class);
  }

  @FuzzTest
  void pageReport(byte[] bytes) {
    read(bytes, PageReport.class);
  }

  @FuzzTest
  void kind(byte[] bytes) {
    AnyBytes.read(bytes.length, IllegalArgumentException.class, () -> Wire.kind(bytes));
  }

  private static <M extends Message> void read(byte[] bytes, Class<M> family) {
    AnyBytes.read(
        bytes.length,
        IllegalArgumentException.class,
        () -> {
          M message = Wire.decode(bytes, family);
          byte[] written = Wire.encode(message);
          assertThat(Wire.encode(Wire.decode(written, family))).isEqualTo(written);
        });
  }
}
