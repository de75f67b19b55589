package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That the test device really does what makes it worth testing on. */
class DelayedDeviceTest {
  @Test
  void theSourceIsReadOnlyWhenTheCopyLands() throws Exception {
    try (DelayedDevice device = new DelayedDevice(64, 1)) {
      DeviceAddress address = device.allocate(8);
      byte[] source = {1, 1, 1, 1, 1, 1, 1, 1};
      CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(source), 0, address);
      Arrays.fill(source, (byte) 2);
      event.await();
      ByteBuffer found = ByteBuffer.allocate(8);
      device.copyToHostAsync(address, found).await();
      assertThat(found.array()).containsOnly(2);
    }
  }

  @Test
  void targetsHoldPoisonUntilTheCopyLands() throws Exception {
    try (DelayedDevice device = new DelayedDevice(64, 1)) {
      DeviceAddress address = device.allocate(8);
      ByteBuffer found = ByteBuffer.allocate(8);
      CopyEvent event = device.copyToHostAsync(address, found);
      assertThat(found.array()).containsOnly(DelayedDevice.POISON);
      event.await();
      device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address).await();
      CopyEvent write = device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address);
      assertThatIllegalStateException().isThrownBy(write::checksum);
      assertThatIllegalStateException().isThrownBy(() -> device.free(address));
      write.await();
      device.free(address);
    }
  }

  @Test
  void momentsDependOnTheSeedAndPassOnlyWhenAskedFor() throws Exception {
    Set<Integer> moments = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      try (DelayedDevice device = new DelayedDevice(64, seed)) {
        device.copyToHostAsync(device.allocate(8), ByteBuffer.allocate(8));
        int moment = 0;
        for (; device.pending() > 0; moment++) {
          device.advance();
        }
        moments.add(moment);
      }
    }
    assertThat(moments).hasSizeGreaterThan(3);
  }

  @Test
  void aFailedCopyReportsItsCause() throws Exception {
    try (DelayedDevice device = new DelayedDevice(64, 1)) {
      DeviceAddress address = device.allocate(8);
      device.failNextCopy(new IOException("broken link"));
      CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address);
      assertThatIOException().isThrownBy(event::await).withMessageContaining("broken link");
      assertThat(event.isDone()).isTrue();
      assertThatIllegalStateException().isThrownBy(event::checksum);
    }
  }

  @Test
  void anInterruptionDoesNotEndAwaitLanding() throws Exception {
    try (DelayedDevice device = new DelayedDevice(64, 1)) {
      DeviceAddress address = device.allocate(8);
      ByteBuffer found = ByteBuffer.allocate(8);
      device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address).await();
      CopyEvent event = device.copyToHostAsync(address, found);
      Thread.currentThread().interrupt();
      event.awaitLanding();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(found.array()).containsOnly(0);
    }
  }
}
