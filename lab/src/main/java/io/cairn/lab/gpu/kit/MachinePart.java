package io.cairn.lab.gpu.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Which GPU and driver this is, and how long the driver takes to translate the kernels. */
final class MachinePart implements KitPart.Program {
  static final String GPU = "GPU";
  static final String DRIVER = "driver";

  private static final Path KERNEL_MODULE = Path.of("/sys/module/nvidia/version");
  private static final int MAJOR = 75;
  private static final int MINOR = 76;

  @Override
  public void run(KitOptions options, Findings findings) throws IOException {
    findings.say("library " + Gpu.driver(options.library()).getFile());
    Gpu gpu = Gpu.open(options);
    findings.answer(GPU, "", gpu.deviceName());
    findings.answer(DRIVER, "", driver(gpu.version()));
    findings.answer("compute capability", "", capability(gpu));
    findings.figure("multiprocessors", gpu.multiprocessors(), "");
    findings.figure("free memory", gpu.freeBytes() / (double) (1 << 30), "GiB");
    long began = System.nanoTime();
    gpu.kernel("cairn_copy_crc32c");
    findings.figure("translation of the kernels", (System.nanoTime() - began) / 1e6, "ms");
  }

  private static String driver(int version) throws IOException {
    String cuda = String.format(Locale.ROOT, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    return Files.isReadable(KERNEL_MODULE)
        ? Files.readString(KERNEL_MODULE).strip() + ", " + cuda
        : cuda;
  }

  private static String capability(Gpu gpu) {
    int major = gpu.attribute(MAJOR);
    return major < 0 ? "unknown" : major + "." + gpu.attribute(MINOR);
  }
}
