package io.cairn.engine.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of DEVICE.
 *
 * @param kind of the memory
 * @param gpu the number of the GPU in the driver's order, if the memory is one's
 * @param cudaLibrary the driver's, by name or absolute path
 * @param reserveBytes of a GPU's memory that the training is to find free; 0 for any
 */
public record DeviceSettings(Kind kind, int gpu, String cudaLibrary, long reserveBytes) {
  /** The kinds of memory. */
  public enum Kind {
    /** Memory of a GPU if CUDA can be used, else shared memory. */
    AUTO,
    /** Memory of a GPU. */
    CUDA,
    /** Shared memory of the node. */
    SHM
  }

  private static final Pattern VALUE = Pattern.compile("(auto|cuda|shm)(?::([0-9]{1,4}))?");

  static DeviceSettings of(SettingValues given) {
    Matcher value = VALUE.matcher(given.text(Setting.DEVICE_KIND));
    if (!value.matches() || (value.group(1).equals("shm") && value.group(2) != null)) {
      throw given.illegal(
          Setting.DEVICE_KIND, "shm, cuda, auto, or with the number of a GPU, such as cuda:1");
    }
    Kind kind =
        switch (value.group(1)) {
          case "auto" -> Kind.AUTO;
          case "cuda" -> Kind.CUDA;
          default -> Kind.SHM;
        };
    int gpu = value.group(2) == null ? 0 : Integer.parseInt(value.group(2));
    return new DeviceSettings(
        kind, gpu, given.text(Setting.DEVICE_CUDA_LIBRARY), given.bytes(Setting.DEVICE_RESERVE));
  }
}
