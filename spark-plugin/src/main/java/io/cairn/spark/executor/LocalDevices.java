package io.cairn.spark.executor;

import io.cairn.engine.config.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of this executor's machine, as Spark and {@code nvidia-smi} report them. */
final class LocalDevices {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDevices.class);
  private static final long PATIENCE_SECONDS = 10;

  /** Bytes of the text; decoded, it fits a field of a message whatever the bytes are. */
  private static final int LONGEST_TEXT = 20_000;

  private LocalDevices() {}

  /** The output of {@code nvidia-smi topo -m}; empty without that command. */
  static String deviceLinks() {
    try {
      Process process =
          new ProcessBuilder("nvidia-smi", "topo", "-m")
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
              .start();
      CompletableFuture<byte[]> output = CompletableFuture.supplyAsync(() -> read(process));
      byte[] text = output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      boolean good =
          process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
      return good ? new String(text, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      return ""; // no such command: no such devices
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("nvidia-smi does not report the links of the devices", e);
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static byte[] read(Process process) {
    try {
      return process.getInputStream().readNBytes(LONGEST_TEXT);
    } catch (IOException e) {
      return new byte[0];
    } finally {
      process.destroy();
    }
  }

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
