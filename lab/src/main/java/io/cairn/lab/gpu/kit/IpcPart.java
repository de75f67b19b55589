package io.cairn.lab.gpu.kit;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Two processes that share a device of Cairn: both read and write, then the owner is killed. */
final class IpcPart implements KitPart.Program {
  private static final int SMALL_BYTES = 1 << 20;
  private static final int LARGE_BYTES = 256 << 20;

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    int bytes = bytes(options);
    try (CudaDevice device = open(options);
        ChildProcess owner = start(options)) {
      byte[] handle = HexFormat.of().parseHex(owner.await("handle "));
      try (DeviceMemory.Opened opened = device.open(ExportedMemory.decode(handle))) {
        require("the importer reads what the owner wrote", read(device, opened.address()), 1);
        byte[] written = pattern(2, bytes);
        long began = System.nanoTime();
        write(device, opened.address(), written);
        findings.figure("write to the owner's memory", rate(bytes, began), "GB/s");
        owner.send("read");
        String same = owner.await("same ");
        if (!same.equals("true")) {
          throw new IOException("the owner does not read what the importer wrote: " + same);
        }
        owner.kill();
        if (!opened.ownerIsGone()) {
          throw new IOException("the death of the owner is not seen");
        }
      }
      refuses(device, handle);
      DeviceAddress own = device.allocate(bytes);
      write(device, own, pattern(3, bytes));
      require("the importer works after the owner's death", read(device, own), 3);
    }
  }

  /** The owner: exports memory, and checks it at each line of its input. */
  public static void main(String[] args) throws Exception {
    KitOptions options = KitOptions.parse(Arrays.asList(args));
    try (CudaDevice device = open(options)) {
      device.allocate(4096);
      DeviceAddress address = device.allocate(bytes(options));
      write(device, address, pattern(1, bytes(options)));
      System.out.println("handle " + HexFormat.of().formatHex(device.export(address).encode()));
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (lines.readLine() != null) {
        byte[] found = read(device, address);
        System.out.println("same " + Arrays.equals(found, pattern(2, found.length)));
      }
    }
  }

  private static int bytes(KitOptions options) {
    return options.small() ? SMALL_BYTES : LARGE_BYTES;
  }

  private static CudaDevice open(KitOptions options) throws IOException {
    long capacity = bytes(options) + (1L << 20);
    return CudaDevice.open(
        CudaOptions.of(options.library(), options.ordinal(), capacity, options.scratch()));
  }

  private static ChildProcess start(KitOptions options) throws IOException {
    List<String> words = options.words(options.scratch());
    return Command.java(IpcPart.class, words.toArray())
        .options("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + options.scratch())
        .withErrorsInOutput()
        .start();
  }

  private static void refuses(CudaDevice device, byte[] handle) throws IOException {
    boolean refused = false;
    try (DeviceMemory.Opened opened = device.open(ExportedMemory.decode(handle))) {
      opened.address();
    } catch (IOException e) {
      refused = true;
    }
    if (!refused) {
      throw new IOException("the handle of a dead owner was opened");
    }
  }

  private static void write(CudaDevice device, DeviceAddress target, byte[] bytes)
      throws IOException, InterruptedException {
    CopyEvent event = device.copyAndChecksumAsync(HostMemory.of(bytes), 0, target);
    event.await();
  }

  private static byte[] read(CudaDevice device, DeviceAddress source)
      throws IOException, InterruptedException {
    byte[] found = new byte[(int) source.bytes()];
    device.copyToHostAsync(source, ByteBuffer.wrap(found)).await();
    return found;
  }

  private static void require(String what, byte[] found, int seed) throws IOException {
    int at = Arrays.mismatch(found, pattern(seed, found.length));
    if (at >= 0) {
      throw new IOException("not true: " + what + "; byte " + at + " differs");
    }
  }

  private static byte[] pattern(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static double rate(long bytes, long beganNanos) {
    return (double) bytes / (System.nanoTime() - beganNanos);
  }
}
