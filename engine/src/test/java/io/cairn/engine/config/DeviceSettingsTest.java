package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSettingsTest {
  private static DeviceSettings of(String kind) {
    return CairnConfig.of(Map.of("device.kind", kind)).device();
  }

  @Test
  void withoutSettingsDeviceIsSharedMemory() {
    assertThat(CairnConfig.defaults().device())
        .isEqualTo(new DeviceSettings(DeviceSettings.Kind.SHM, 0, "libcuda.so.1", 0));
  }

  @ParameterizedTest
  @CsvSource({
    "shm, SHM, 0",
    "cuda, CUDA, 0",
    "cuda:3, CUDA, 3",
    "auto, AUTO, 0",
    "auto:7, AUTO, 7"
  })
  void aKindMayNameItsGpu(String value, DeviceSettings.Kind kind, int gpu) {
    assertThat(of(value)).isEqualTo(new DeviceSettings(kind, gpu, "libcuda.so.1", 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu", "CUDA", "shm:1", "cuda:", "cuda:-1", "cuda:12345", "cuda:1:2"})
  void otherKindsAreRefused(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(value))
        .withMessageContaining("device.kind")
        .withMessageContaining(value)
        .withMessageContaining("cuda:1");
  }
}
