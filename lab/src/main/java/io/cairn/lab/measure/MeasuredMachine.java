package io.cairn.lab.measure;

import com.sun.management.OperatingSystemMXBean;
import io.cairn.cli.Units;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * The machine that a measurement ran on.
 *
 * @param cpu its model
 * @param cores that this process may use
 * @param memoryBytes of the machine
 * @param jdk vendor and version
 * @param os name and version
 * @param openMpThreads that ND4J computed with; null if it computed nothing
 */
public record MeasuredMachine(
    String cpu,
    int cores,
    long memoryBytes,
    String jdk,
    String os,
    @Nullable Integer openMpThreads) {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  /** This one, for a measurement in which ND4J computes. */
  public static MeasuredMachine withNd4j() {
    return current(NativeOpsHolder.getInstance().getDeviceNativeOps().ompGetMaxThreads());
  }

  /** This one. */
  public static MeasuredMachine current() {
    return current(null);
  }

  private static MeasuredMachine current(@Nullable Integer openMpThreads) {
    return new MeasuredMachine(
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        openMpThreads);
  }

  private static String cpuModel() {
    try (Stream<String> lines = Files.lines(CPUS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  @Override
  public String toString() {
    String text =
        String.join(", ", cpu, Units.count(cores, "core"), Units.bytes(memoryBytes), jdk, os);
    return openMpThreads == null ? text : text + ", " + Units.count(openMpThreads, "OpenMP thread");
  }
}
