package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.ReadyAfter;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The buffer of the host between a device and an engine that does not reach its memory. */
class ThroughHostTest {
  private static final int BYTES = 64;

  @Test
  void aBufferThatACopyMayStillReadIsNotFilledAnew() throws Exception {
    DeviceHeap heap = new DeviceHeap(2 * BYTES);
    for (int i = 0; i < 2 * BYTES; i++) {
      heap.bytes().put(i, (byte) (i / BYTES + 1));
    }
    try (DelayedDevice device = new DelayedDevice(1 << 10, 1, heap);
        DelayedDevice elsewhere = new DelayedDevice(1 << 10, 2)) {
      CaptureSource source =
          new DeviceResident(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Nothing()));
      DeviceAddress first = elsewhere.allocate(BYTES);
      ThroughHost through = new ThroughHost(device, elsewhere);

      CopyEvent slow = through.copy(source, 0, first);
      through.copy(source, BYTES, elsewhere.allocate(BYTES)).awaitLanding();
      slow.awaitLanding();

      byte[] found = new byte[BYTES];
      elsewhere.copyToHostAsync(first, ByteBuffer.wrap(found)).awaitLanding();
      assertThat(found).containsOnly(1);
    }
  }
}
