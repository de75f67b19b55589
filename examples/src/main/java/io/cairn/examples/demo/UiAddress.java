package io.cairn.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The address of the tab of a driver, which the driver leaves in a file of its run. */
final class UiAddress {
  private final Path file;

  /** Looks into a run's directory. */
  UiAddress(Path directory) {
    this.file = directory.resolve("ui-address");
  }

  /** Leaves the address, at once or not at all. */
  static void write(Path directory, String web) throws IOException {
    Path unfinished = directory.resolve("ui-address.tmp");
    Files.writeString(unfinished, web + "/checkpoints/");
    Files.move(unfinished, directory.resolve("ui-address"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Takes the address away; empty until a driver has left one. */
  Optional<String> take() throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    String address = Files.readString(file);
    Files.delete(file);
    return Optional.of(address);
  }
}
