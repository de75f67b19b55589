package io.cairn.spark.executor;

import io.cairn.engine.config.Setting;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of this executor, as Spark assigned them. */
final class LocalDevices {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDevices.class);

  private LocalDevices() {}

  /**
   * Completes the setting of the device's kind by the first GPU that Spark assigned, if the setting
   * names a GPU without its number.
   */
  static void nameGpu(Map<String, String> settings, Map<String, ResourceInformation> resources) {
    ResourceInformation gpu = resources.get("gpu");
    String kind = settings.getOrDefault(Setting.DEVICE_KIND.name(), "");
    if (gpu != null
        && gpu.addresses().length > 0
        && gpu.addresses()[0].matches("[0-9]{1,4}")
        && (kind.equals("cuda") || kind.equals("auto"))) {
      settings.put(Setting.DEVICE_KIND.name(), kind + ":" + gpu.addresses()[0]);
      otherOrder(gpu.addresses()[0], System.getenv("CUDA_DEVICE_ORDER")).ifPresent(LOG::warn);
    }
  }

  /**
   * A warning if CUDA may number GPUs otherwise than {@code nvidia-smi}, whose numbers Spark's
   * discovery script reports.
   *
   * @param order the environment's {@code CUDA_DEVICE_ORDER}, if it is set
   */
  static Optional<String> otherOrder(String number, @Nullable String order) {
    return "PCI_BUS_ID".equals(order)
        ? Optional.empty()
        : Optional.of(
            "DEVICE is GPU "
                + number
                + " in the order of CUDA, which may differ from that of nvidia-smi and Spark: set"
                + " spark.executorEnv.CUDA_DEVICE_ORDER to PCI_BUS_ID");
  }

  /** Index of the device that Spark assigned; without any, a number derived from the executor's. */
  static int device(Map<String, ResourceInformation> resources, String executor) {
    ResourceInformation gpu = resources.get("gpu");
    String number = gpu != null && gpu.addresses().length > 0 ? gpu.addresses()[0] : executor;
    try {
      return Math.floorMod(Integer.parseInt(number), 1024);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
