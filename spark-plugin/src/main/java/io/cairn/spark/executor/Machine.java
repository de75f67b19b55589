package io.cairn.spark.executor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an executor can say of the devices around it. */
final class Machine {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);
  private static final long PATIENCE_SECONDS = 10;
  private static final int LONGEST_TEXT = 60_000;

  private Machine() {}

  /** The text of {@code nvidia-smi topo -m}; empty where there is no such command. */
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
      LOG.warn("nvidia-smi does not say what links the devices: {}", e.toString());
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

  /** The device that Spark gave this executor; without any, a number of its own. */
  static int device(Map<String, ResourceInformation> resources, String executor) {
    ResourceInformation gpu = resources.get("gpu");
    String said = gpu != null && gpu.addresses().length > 0 ? gpu.addresses()[0] : executor;
    try {
      return Math.floorMod(Integer.parseInt(said), 1024);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
