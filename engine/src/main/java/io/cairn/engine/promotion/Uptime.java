package io.cairn.engine.promotion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** The time since the machine started, which no step of its clock changes. Thread-safe. */
@FunctionalInterface
public interface Uptime {
  /**
   * A moment of one boot. Moments of different boots are not comparable.
   *
   * @param boot names the boot, without blanks
   */
  record Moment(String boot, Duration since) {
    /** The time from an earlier moment to this one; zero if that is of another boot. */
    Duration after(Moment earlier) {
      Duration passed = since.minus(earlier.since);
      return boot.equals(earlier.boot) && !passed.isNegative() ? passed : Duration.ZERO;
    }
  }

  /** Now. */
  Moment now();

  private static Optional<String> boot() {
    try {
      return Optional.of(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The machine's; where the system does not show it, each process counts as a boot. */
  static Uptime ofMachine() {
    String process = UUID.randomUUID().toString();
    Optional<String> machine = boot(); // a process ends with its boot
    return () -> {
      try {
        String boot = machine.orElseThrow();
        String uptime = Files.readString(Path.of("/proc/uptime"));
        double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
        return new Moment(boot, Duration.ofMillis((long) (seconds * 1000)));
      } catch (IOException | RuntimeException e) {
        return new Moment(process, Duration.ofNanos(System.nanoTime()));
      }
    };
  }
}
