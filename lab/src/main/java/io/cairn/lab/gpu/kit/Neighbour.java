package io.cairn.lab.gpu.kit;

import com.sun.jna.Structure;
import com.sun.jna.ptr.LongByReference;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * A process that owns memory of the GPU or opens another one's, by the driver's own calls. It obeys
 * the lines of its input: {@code own}, {@code free}, {@code open HANDLE}, {@code range}, {@code
 * read}, {@code close} and {@code probe}. It answers each with a line that begins with the same
 * word.
 */
final class Neighbour {
  /** A {@code CUipcMemHandle}, which the driver takes by value. JNA reads the public field. */
  public static final class Handle extends Structure implements Structure.ByValue {
    /** Opaque. */
    public byte[] reserved = new byte[HANDLE_BYTES];

    @Override
    protected List<String> getFieldOrder() {
      return List.of("reserved");
    }
  }

  static final int HANDLE_BYTES = 64;

  private static final int BYTES = 1 << 20;
  private static final int LAZY_PEER_ACCESS = 1;

  private final Gpu gpu;
  private long address;

  private Neighbour(Gpu gpu) {
    this.gpu = gpu;
  }

  static ChildProcess start(KitOptions options) throws IOException {
    return Command.java(Neighbour.class, options.words(options.scratch()).toArray())
        .small(128)
        .options("-Djava.io.tmpdir=" + options.scratch())
        .withErrorsInOutput()
        .start();
  }

  public static void main(String[] args) throws IOException {
    Neighbour neighbour = new Neighbour(Gpu.open(KitOptions.parse(Arrays.asList(args))));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 2);
      System.out.println(words[0] + " " + neighbour.obey(words));
    }
  }

  private String obey(String[] words) throws IOException {
    return switch (words[0]) {
      case "own" -> own();
      case "free" -> gpu.name(gpu.code("cuMemFree_v2", address));
      case "open" -> open(words[1]);
      case "range" -> range();
      case "read" -> read();
      case "close" -> gpu.name(gpu.code("cuIpcCloseMemHandle", address));
      case "probe" -> probe();
      default -> throw new IOException("no command is named " + words[0]);
    };
  }

  private String own() throws GpuException {
    address = gpu.allocate(BYTES);
    gpu.upload(address, pattern());
    return HexFormat.of().formatHex(handle(gpu, address));
  }

  static byte[] handle(Gpu gpu, long address) throws GpuException {
    byte[] handle = new byte[HANDLE_BYTES];
    gpu.call("cuIpcGetMemHandle", handle, address);
    return handle;
  }

  private String open(String handle) {
    LongByReference opened = new LongByReference();
    int code = open(gpu, HexFormat.of().parseHex(handle), opened);
    String again =
        address == 0 ? "" : address == opened.getValue() ? ", same address" : ", another";
    address = code == 0 ? opened.getValue() : address;
    return gpu.name(code) + (code == 0 ? again : "");
  }

  /** Opens a handle, and returns the driver's code. */
  static int open(Gpu gpu, byte[] reserved, LongByReference address) {
    Handle handle = new Handle();
    handle.reserved = reserved;
    return gpu.code("cuIpcOpenMemHandle_v2", address, handle, LAZY_PEER_ACCESS);
  }

  /** The driver's answer about the memory that was opened. Cairn refuses spans beyond it. */
  private String range() {
    LongByReference begin = new LongByReference();
    LongByReference bytes = new LongByReference();
    int code = gpu.code("cuMemGetAddressRange_v2", begin, bytes, address);
    long left = bytes.getValue() - (address - begin.getValue());
    return gpu.name(code) + (code == 0 ? ", " + (left - BYTES) + " bytes beyond it" : "");
  }

  private String read() {
    byte[] found = new byte[BYTES];
    int code = gpu.code("cuMemcpyDtoH_v2", found, address, (long) BYTES);
    String bytes = Arrays.equals(found, pattern()) ? ", same bytes" : ", other bytes";
    return gpu.name(code) + (code == 0 ? bytes : "");
  }

  /** Whether the context still works. */
  private String probe() {
    try {
      long fresh = gpu.allocate(BYTES);
      gpu.upload(fresh, pattern());
      gpu.download(fresh, BYTES);
      gpu.free(fresh);
      return "works";
    } catch (GpuException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static byte[] pattern() {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
