package io.cairn.engine.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The links between the devices of this machine, as {@code nvidia-smi} reports them. Stateless. */
public final class DeviceLinks {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLinks.class);

  /** Bytes of the text; decoded, it fits a field of a message whatever the bytes are. */
  private static final int LONGEST_TEXT = 20_000;

  private DeviceLinks() {}

  /** The output of {@code nvidia-smi topo -m}; empty without that command. Waits 10 s at most. */
  public static String ofMachine() {
    return of(List.of("nvidia-smi", "topo", "-m"), TimeUnit.SECONDS.toMillis(10));
  }

  /** The output of a command that may hang, and is ended then. */
  static String of(List<String> command, long patienceMillis) {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
    } catch (IOException e) {
      return ""; // no such command: no such devices
    }
    try {
      CompletableFuture<byte[]> output = CompletableFuture.supplyAsync(() -> read(process));
      byte[] text = output.get(patienceMillis, TimeUnit.MILLISECONDS);
      boolean good =
          process.waitFor(patienceMillis, TimeUnit.MILLISECONDS) && process.exitValue() == 0;
      return good ? new String(text, StandardCharsets.UTF_8) : "";
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("nvidia-smi does not report the links of the devices", e);
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } finally {
      process.destroyForcibly();
    }
  }

  private static byte[] read(Process process) {
    try {
      return process.getInputStream().readNBytes(LONGEST_TEXT);
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
