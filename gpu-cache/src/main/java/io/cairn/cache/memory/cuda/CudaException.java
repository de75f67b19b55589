package io.cairn.cache.memory.cuda;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/** A call of the CUDA driver that failed, or a GPU that did not answer in time. */
public final class CudaException extends IOException {
  static final int NOT_READY = 600;

  private static final int OUT_OF_MEMORY = 2;
  private static final int DEVICE_UNAVAILABLE = 46;
  private static final int NO_DEVICE = 100;
  private static final int INVALID_DEVICE = 101;
  private static final int NO_BINARY_FOR_GPU = 209;
  private static final int INVALID_PTX = 218;
  private static final int JIT_COMPILER_NOT_FOUND = 221;
  private static final int UNSUPPORTED_PTX_VERSION = 222;
  private static final int JIT_COMPILATION_DISABLED = 223;
  private static final int SYSTEM_NOT_READY = 802;
  private static final int DRIVER_MISMATCH = 803;
  private static final int FIRST_OF_CAPTURES = 900;
  private static final int LAST_OF_CAPTURES = 908;
  private static final int NO_ANSWER = -1;
  private static final String END_CAPTURE = "a stream captures a graph: end the capture first";

  /** Codes after which every call of the context fails, by the driver's documentation. */
  private static final Set<Integer> STICKY =
      Set.of(
          4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911, 999);

  private final int code;

  CudaException(String call, int code, String name, String text) {
    super(
        String.format(
            Locale.ROOT, "%s failed: %s (%d), %s; %s", call, name, code, text, remedy(code)));
    this.code = code;
  }

  private CudaException(String message, int code) {
    super(message);
    this.code = code;
  }

  /** CUDA cannot be used at all. */
  static CudaException unusable(String reason) {
    return new CudaException(reason, 0);
  }

  /** Work in the order of a stream that captures a graph. */
  static CudaException capturing(CudaContext context, long stream) {
    return unusable(
        String.format(
            Locale.ROOT, "%s: no work after stream 0x%x, since %s", context, stream, END_CAPTURE));
  }

  /** Work that did not end in time; nobody knows whether it ever will. */
  static CudaException noAnswer(String work, long patienceMillis) {
    return new CudaException(
        String.format(
            Locale.ROOT,
            "%s did not end within %d ms; %s",
            work,
            patienceMillis,
            remedy(NO_ANSWER)),
        NO_ANSWER);
  }

  /** The refusal of a device that died of this. */
  CudaException again(String device) {
    CudaException refusal = new CudaException(device + " is dead: " + getMessage(), code);
    refusal.initCause(this);
    return refusal;
  }

  /** Whether no later call of this process can succeed on that GPU. */
  public boolean isSticky() {
    return code == NO_ANSWER || STICKY.contains(code);
  }

  private static String remedy(int code) {
    return switch (code) {
      case OUT_OF_MEMORY -> "give Cairn less of the GPU's memory, or the other programs there";
      case NO_DEVICE, INVALID_DEVICE -> "compare nvidia-smi -L and CUDA_VISIBLE_DEVICES";
      case DEVICE_UNAVAILABLE ->
          "another process has this GPU for itself: nvidia-smi -q -d COMPUTE names its mode";
      case NO_BINARY_FOR_GPU, INVALID_PTX, UNSUPPORTED_PTX_VERSION ->
          "this GPU or driver cannot translate Cairn's kernels, which need compute capability 8.0"
              + " and a driver for CUDA 11; device.kind=shm needs neither";
      case JIT_COMPILER_NOT_FOUND -> "install libnvidia-ptxjitcompiler.so.1 of this driver";
      case JIT_COMPILATION_DISABLED -> "unset CUDA_DISABLE_PTX_JIT, so that kernels are translated";
      case SYSTEM_NOT_READY -> "start nvidia-fabricmanager, then this process again";
      case DRIVER_MISMATCH ->
          "load the kernel module of the driver's version, or restart the machine";
      default -> otherRemedy(code);
    };
  }

  private static String otherRemedy(int code) {
    if (code == NO_ANSWER || STICKY.contains(code)) {
      return "only a new process can use this GPU again; the kernel's log may name the reason";
    }
    return code >= FIRST_OF_CAPTURES && code <= LAST_OF_CAPTURES
        ? END_CAPTURE
        : "the call or its arguments do not fit this driver; please report it";
  }
}
