package io.cairn.cache.memory.shm;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;

/** The second process of a test. */
final class ArenaProcess {
  static final int BYTES = 6000;
  static final int CAPACITY_BYTES = 1 << 16;

  private ArenaProcess() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "own" -> own(Path.of(args[1]));
      case "peer" -> peer(Path.of(args[1]), args[2]);
      case "fill" -> fill(Path.of(args[1]), Path.of(args[2]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Holds an arena with {@code pattern(1)} in it until it is killed or its input ends. */
  private static void own(Path directory) throws Exception {
    try (SharedMemoryDevice device = open(directory)) {
      device.allocate(1000);
      DeviceAddress address = device.allocate(BYTES);
      device.copyAndChecksumAsync(HostMemory.of(pattern(1)), 0, address).await();
      System.out.println("handle " + HexFormat.of().formatHex(device.export(address).encode()));
      System.out.println("file " + device.file());
      System.in.read();
    }
  }

  /** Says whether a handle leads to {@code pattern(1)}, and writes {@code pattern(2)} there. */
  private static void peer(Path directory, String handle) throws Exception {
    try (SharedMemoryDevice device = open(directory);
        DeviceMemory.Opened opened =
            device.open(ExportedMemory.decode(HexFormat.of().parseHex(handle)))) {
      ByteBuffer found = ByteBuffer.allocate(BYTES);
      device.copyToHostAsync(opened.address(), found).await();
      System.out.println("same " + found.equals(ByteBuffer.wrap(pattern(1))));
      device.copyAndChecksumAsync(HostMemory.of(pattern(2)), 0, opened.address()).await();
    }
  }

  /** Opens 8 MiB, preferably in {@code small}, and writes all of it. */
  private static void fill(Path small, Path fallback) throws Exception {
    int bytes = 8 << 20;
    try (SharedMemoryDevice device =
        SharedMemoryDevice.open(
            small,
            fallback,
            bytes,
            SharedMemoryDevice.MAX_WINDOW_BYTES,
            warning -> System.out.println("warning " + warning))) {
      DeviceAddress address = device.allocate(bytes);
      device.copyAndChecksumAsync(HostMemory.of(new byte[bytes]), 0, address).await();
      System.out.println("file " + device.file());
      try (SharedMemoryDevice fits = SharedMemoryDevice.open(small, fallback, 1 << 20)) {
        System.out.println("fits " + fits.file());
      }
    }
  }

  private static SharedMemoryDevice open(Path directory) throws Exception {
    return SharedMemoryDevice.open(directory, directory, CAPACITY_BYTES);
  }

  static byte[] pattern(int seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
