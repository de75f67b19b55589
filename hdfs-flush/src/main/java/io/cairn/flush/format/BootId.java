package io.cairn.flush.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The kernel's random number of the running boot. A container records the boot under which it was
 * written. A file from another boot has survived a restart of the machine, which unsynced bytes
 * need not do.
 */
final class BootId {
  /** The value on a system that has no such number. */
  static final UUID UNKNOWN = new UUID(0, 0);

  private static final Path SOURCE = Path.of("/proc/sys/kernel/random/boot_id");

  /** Read once: a process ends with its boot. */
  private static final UUID CURRENT = read();

  private BootId() {}

  /** The number, or {@link #UNKNOWN} where the system has none. */
  static UUID current() {
    return CURRENT;
  }

  private static UUID read() {
    try {
      return UUID.fromString(Files.readString(SOURCE).strip());
    } catch (IOException | IllegalArgumentException e) {
      return UNKNOWN; // not Linux, or hidden by a container: nothing depends on knowing it
    }
  }
}
