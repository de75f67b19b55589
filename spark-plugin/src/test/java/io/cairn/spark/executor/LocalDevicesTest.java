package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDevicesTest {
  private static Map<String, ResourceInformation> gpus(String... addresses) {
    return Map.of("gpu", new ResourceInformation("gpu", addresses));
  }

  private static Map<String, String> named(
      String kind, Map<String, ResourceInformation> resources) {
    Map<String, String> settings = new HashMap<>(Map.of("device.kind", kind));
    LocalDevices.nameGpu(settings, resources);
    return settings;
  }

  @ParameterizedTest
  @CsvSource({"cuda, cuda:3", "auto, auto:3", "cuda:1, cuda:1", "shm, shm"})
  void theGpuIsTheFirstThatSparkAssigned(String kind, String expected) {
    assertThat(named(kind, gpus("3", "5"))).containsExactly(Map.entry("device.kind", expected));
  }

  @Test
  void withoutAnAssignedGpuTheSettingStays() {
    assertThat(named("cuda", Map.of())).containsEntry("device.kind", "cuda");
    assertThat(named("cuda", gpus())).containsEntry("device.kind", "cuda");
    assertThat(named("cuda", gpus("GPU-8a3f"))).containsEntry("device.kind", "cuda");
  }

  @Test
  void anotherOrderOfGpusIsReportedWithTheRemedy() {
    assertThat(LocalDevices.otherOrder("3", "PCI_BUS_ID")).isEmpty();
    assertThat(LocalDevices.otherOrder("3", "FASTEST_FIRST")).isPresent();
    assertThat(LocalDevices.otherOrder("3", null).orElseThrow())
        .contains("GPU 3", "spark.executorEnv.CUDA_DEVICE_ORDER to PCI_BUS_ID");
  }

  @Test
  void aSettingThatIsNotGivenIsNotAdded() {
    Map<String, String> settings = new HashMap<>();
    LocalDevices.nameGpu(settings, gpus("3"));
    assertThat(settings).isEmpty();
  }
}
