package io.cairn.lab.gpu.kit;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The driver's codes for calls that it has to refuse. */
final class CodeQuestions {
  private static final long TOO_MUCH_BYTES = 1L << 50;
  private static final long NO_ADDRESS = 0x1000;
  private static final int NO_ORDINAL = 4096;
  private static final int MEMORY_TYPE = 2;

  private final KitOptions options;
  private final Findings findings;

  CodeQuestions(KitOptions options, Findings findings) {
    this.options = options;
    this.findings = findings;
  }

  void ask() throws IOException {
    Gpu gpu = Gpu.open(options);
    LongByReference result = new LongByReference();
    code(
        gpu,
        "no such GPU",
        "CUDA_ERROR_INVALID_DEVICE (101)",
        gpu.code("cuDeviceGet", new IntByReference(), NO_ORDINAL));
    code(
        gpu,
        "too much memory",
        "CUDA_ERROR_OUT_OF_MEMORY (2)",
        gpu.code("cuMemAlloc_v2", result, TOO_MUCH_BYTES));
    code(
        gpu,
        "memory of no bytes",
        "CUDA_ERROR_INVALID_VALUE (1)",
        gpu.code("cuMemAlloc_v2", result, 0L));
    code(
        gpu,
        "free of no memory",
        "CUDA_ERROR_INVALID_VALUE (1)",
        gpu.code("cuMemFree_v2", NO_ADDRESS));
    code(
        gpu,
        "text that is no PTX",
        "CUDA_ERROR_INVALID_IMAGE (200)",
        gpu.code("cuModuleLoadData", result, "no PTX\0".getBytes(StandardCharsets.US_ASCII)));
    askForHandles(gpu);
    askForAttributes(gpu);
    askForKernel(gpu);
  }

  private void code(Gpu gpu, String question, String assumed, int code) {
    findings.answer("code: " + question, assumed, gpu.name(code));
  }

  private void askForHandles(Gpu gpu) throws GpuException {
    long own = gpu.allocate(1 << 20);
    LongByReference opened = new LongByReference();
    code(
        gpu,
        "own handle opened",
        "CUDA_ERROR_INVALID_CONTEXT (201)",
        Neighbour.open(gpu, Neighbour.handle(gpu, own), opened));
    code(
        gpu,
        "handle of zeros opened",
        "CUDA_ERROR_INVALID_VALUE (1)",
        Neighbour.open(gpu, new byte[Neighbour.HANDLE_BYTES], opened));
    code(
        gpu,
        "close of what was not opened",
        "CUDA_ERROR_INVALID_VALUE (1)",
        gpu.code("cuIpcCloseMemHandle", own));
    gpu.free(own);
  }

  private void askForAttributes(Gpu gpu) throws GpuException {
    Memory host = new Memory(Long.BYTES);
    String seen = memoryType(gpu, Pointer.nativeValue(host));
    findings.answer("memory type of a host address", "CUDA_SUCCESS (0), type 0", seen);
    host.clear(); // stays reachable until then
    long pinned = gpu.allocateHost(Long.BYTES);
    String ofPinned = memoryType(gpu, pinned + Long.BYTES - 1);
    findings.answer("memory type of pinned memory", "CUDA_SUCCESS (0), type 1", ofPinned);
    gpu.freeHost(pinned);
  }

  private static String memoryType(Gpu gpu, long address) {
    Memory result = new Memory(2L * Long.BYTES);
    result.setInt(Long.BYTES, -1);
    result.setPointer(0, result.share(Long.BYTES));
    int[] wanted = {MEMORY_TYPE};
    int code = gpu.code("cuPointerGetAttributes", 1, wanted, result, address);
    return gpu.name(code) + ", type " + result.getInt(Long.BYTES);
  }

  private void askForKernel(Gpu gpu) throws IOException {
    gpu.kernel("cairn_differs");
    String seen = "found";
    try {
      gpu.kernel("cairn_no_kernel");
    } catch (GpuException e) {
      seen = String.valueOf(e.getMessage());
    }
    findings.answer(
        "code: unknown kernel", "cuModuleGetFunction failed: CUDA_ERROR_NOT_FOUND (500)", seen);
  }
}
