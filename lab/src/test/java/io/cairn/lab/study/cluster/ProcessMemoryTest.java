package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.DeviceName;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceHeap;
import org.junit.jupiter.api.Test;

/** The memory of one process has the abilities of the device of its worker. */
class ProcessMemoryTest {
  @Test
  void reachesWhatItsDeviceReaches() {
    try (DelayedDevice device = new DelayedDevice(64, 1)) {
      Turns turns = new Turns(1, Runnable::run);
      ProcessMemory memory =
          new ProcessMemory(
              new SimulatedDevice(turns, device),
              new Actor(turns, "p"),
              new SimulatedMachine("m", 1, turns.random()));

      assertThat(memory.reaches(DeviceHeap.DEVICE)).isTrue();
      assertThat(memory.reaches(new DeviceName("fake", 1))).isFalse();
    }
  }
}
