package io.cairn.engine.config;

import java.util.Locale;
import java.util.Optional;
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

  static final ValueType<Memory> MEMORY =
      new ValueType<>(
          "shm, cuda, auto, or with the number of a GPU, such as cuda:1", Memory::parse);

  /**
   * What the setting of the kind says.
   *
   * @param gpu 0 if it names none
   */
  record Memory(Kind kind, int gpu) {
    private static Optional<Memory> parse(String text) {
      Matcher value = VALUE.matcher(text);
      if (!value.matches() || (value.group(1).equals("shm") && value.group(2) != null)) {
        return Optional.empty();
      }
      return Optional.of(
          new Memory(
              Kind.valueOf(value.group(1).toUpperCase(Locale.ROOT)),
              value.group(2) == null ? 0 : Integer.parseInt(value.group(2))));
    }
  }

  static DeviceSettings of(SettingValues given) {
    Memory memory = given.get(Setting.DEVICE_KIND);
    return new DeviceSettings(
        memory.kind(),
        memory.gpu(),
        given.get(Setting.CUDA_LIBRARY),
        given.get(Setting.DEVICE_RESERVE));
  }
}
