package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every device memory; a subclass per implementation. */
public abstract class DeviceMemoryContract extends CopyContract {
  @Test
  void allocationsDoNotOverlapAndFreedOnesAreReused() throws Exception {
    List<DeviceAddress> addresses = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 16; i++) {
        byte[] bytes = random(round * 100 + i, 60_000);
        DeviceAddress address = memory.allocate(bytes.length);
        memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
        addresses.add(address);
        contents.add(bytes);
      }
      for (int i = 0; i < addresses.size(); i++) {
        assertThat(read(addresses.get(i))).as("allocation %d", i).isEqualTo(contents.get(i));
      }
      addresses.forEach(memory::free);
      addresses.clear();
      contents.clear();
    }
  }

  @Test
  void exhaustionReportsTheFreeBytes() throws Exception {
    DeviceAddress half = memory.allocate(CAPACITY_BYTES / 2);
    assertThatIOException()
        .isThrownBy(() -> memory.allocate(CAPACITY_BYTES))
        .withMessageContaining(memory.describe())
        .withMessageContaining("no room for " + CAPACITY_BYTES + " bytes")
        .withMessageContaining("free");
    memory.free(half);
    memory.free(memory.allocate(CAPACITY_BYTES));
  }

  @Test
  void freeTakesOnlyWhatIsAllocated() throws Exception {
    DeviceAddress address = memory.allocate(1000);
    assertThatIllegalArgumentException().isThrownBy(() -> memory.free(address.slice(8, 8)));
    memory.free(address);
    assertThatIllegalArgumentException().isThrownBy(() -> memory.free(address));
  }

  @Test
  void refusesAddressesAndLengthsThatAreNotItsOwn() throws Exception {
    try (DeviceMemory other = open()) {
      DeviceAddress foreign = other.allocate(8);
      HostMemory source = HostMemory.of(new byte[8]);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.copyAndChecksumAsync(source, 0, foreign));
      assertThatIllegalArgumentException().isThrownBy(() -> memory.free(foreign));
      assertThatIllegalArgumentException().isThrownBy(() -> memory.export(foreign));
    }
    DeviceAddress own = memory.allocate(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory.copyToHostAsync(own, ByteBuffer.allocate(9)));
  }

  @Test
  void exportedMemoryIsTheSameMemory() throws Exception {
    byte[] bytes = random(6, 5000);
    memory.allocate(3000);
    DeviceAddress address = memory.allocate(5000);
    memory.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
    ExportedMemory handle = ExportedMemory.decode(memory.export(address).encode());
    try (DeviceMemory other = open()) {
      DeviceAddress there;
      try (DeviceMemory.Opened opened = other.open(handle)) {
        there = opened.address();
        assertThat(there.bytes()).isEqualTo(5000);
        assertThat(read(other, there)).isEqualTo(bytes);
        byte[] answer = random(7, 50);
        other.copyAndChecksumAsync(HostMemory.of(answer), 0, there.slice(16, 50)).await();
        assertThat(read(address.slice(16, 50))).isEqualTo(answer);
        assertThatIllegalArgumentException().isThrownBy(() -> other.free(there));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> other.copyToHostAsync(there, ByteBuffer.allocate(5000)));
    }
  }

  @Test
  void aHandleOfAClosedOwnerIsRefused() throws Exception {
    ExportedMemory handle;
    try (DeviceMemory owner = open()) {
      handle = owner.export(owner.allocate(64));
    }
    assertThatIOException().isThrownBy(() -> memory.open(handle)).withMessageContaining("closed");
  }

  @Test
  void anOpenedHandleReportsThatItsOwnerIsGone() throws Exception {
    DeviceMemory owner = open();
    try (DeviceMemory.Opened opened = memory.open(owner.export(owner.allocate(64)))) {
      assertThat(opened.ownerIsGone()).isFalse();
      owner.close();
      assertThat(opened.ownerIsGone()).isTrue();
    } finally {
      owner.close();
    }
  }

  @Test
  void aHandleOfAnotherKindIsRefused() {
    ExportedMemory handle = new ExportedMemory("other", new byte[40]);
    assertThatIOException().isThrownBy(() -> memory.open(handle)).withMessageContaining("other");
  }

  @Test
  void nothingWorksAfterClose() throws Exception {
    DeviceAddress address = memory.allocate(8);
    memory.close();
    memory.close();
    assertThatIllegalStateException().isThrownBy(() -> memory.allocate(8));
    assertThatIllegalStateException().isThrownBy(() -> memory.free(address));
    assertThatIllegalStateException().isThrownBy(() -> memory.export(address));
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address));
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.copyToHostAsync(address, ByteBuffer.allocate(8)));
  }
}
