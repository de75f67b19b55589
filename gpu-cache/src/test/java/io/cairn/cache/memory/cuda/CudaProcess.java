package io.cairn.cache.memory.cuda;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The second process of a test. Its driver is the library that it is given. */
final class CudaProcess {
  static final int BYTES = 6000;
  static final int CAPACITY_BYTES = 1 << 16;

  private static final String JNA = "jna-";

  private CudaProcess() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "why" -> {
        System.out.println("off " + Cuda.whyOff(args[1]).orElse("no"));
        System.out.println("again " + Cuda.whyOff(args[1]).orElse("no"));
      }
      case "exit" -> exit(args[1], Path.of(args[2]));
      case "own" -> own(args[1], Path.of(args[2]));
      case "peer" -> peer(args[1], Path.of(args[2]), args[3]);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Ends with an open device, which a hook closes; says how many contexts are in use then. */
  private static void exit(String library, Path directory) throws Exception {
    CudaDevice device = open(library, directory);
    Function retained = NativeLibrary.getInstance(library).getFunction("fakecuda_retained");
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  device.close();
                  System.out.println("retained " + retained.invokeInt(new Object[] {0}));
                }));
    System.exit(0);
  }

  /** Holds memory with {@code pattern(1)} in it until it is killed or its input ends. */
  private static void own(String library, Path directory) throws Exception {
    try (CudaDevice device = open(library, directory)) {
      device.allocate(1000);
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(HostMemory.of(pattern(1)), 0, address).await();
      System.out.println("handle " + HexFormat.of().formatHex(device.export(address).encode()));
      System.in.read();
    }
  }

  /**
   * Says whether a handle leads to {@code pattern(1)}, writes {@code pattern(2)} there, and keeps
   * it open until its input ends.
   */
  private static void peer(String library, Path directory, String handle) throws Exception {
    // Native.VERSION is a constant, which the compiler copies
    System.out.println("jna " + Native.class.getProtectionDomain().getCodeSource().getLocation());
    try (CudaDevice device = open(library, directory);
        DeviceMemory.Opened opened =
            device.open(ExportedMemory.decode(HexFormat.of().parseHex(handle)))) {
      DeviceMemory.Opened again =
          device.open(ExportedMemory.decode(HexFormat.of().parseHex(handle)));
      byte[] found = new byte[BYTES];
      device.copyToHostAsync(opened.address(), ByteBuffer.wrap(found)).await();
      again.close();
      System.out.println("same " + Arrays.equals(found, pattern(1)));
      device.copyAndChecksumAsync(HostMemory.of(pattern(2)), 0, opened.address()).await();
      System.out.println("wrote");
      System.in.read();
    }
    System.out.println("closed");
  }

  private static CudaDevice open(String library, Path directory) throws IOException {
    return CudaDevice.open(
        new CudaOptions(
            library, 0, CAPACITY_BYTES, Devices.PINNED_BYTES, Duration.ofSeconds(60), directory));
  }

  static byte[] pattern(int seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** A process with the JNA of this one. */
  static Command command(Object... arguments) {
    return Command.java(CudaProcess.class, arguments).small(64).withErrorsInOutput();
  }

  /** A process with another JNA, or with none. */
  static Command commandWithJna(List<Path> jars, String... arguments) {
    Stream<String> others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !new File(entry).getName().startsWith(JNA));
    String classPath =
        Stream.concat(others, jars.stream().map(Path::toString))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    line.addAll(List.of("-cp", classPath, CudaProcess.class.getName()));
    line.addAll(List.of(arguments));
    return Command.of(line.toArray(String[]::new)).withErrorsInOutput();
  }
}
