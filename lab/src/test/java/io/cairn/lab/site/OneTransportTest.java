package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Processes reach each other by one mechanism, so secrets, bounds and deadlines are at one place.
 */
class OneTransportTest {
  private static final Path TRANSPORT = Path.of("../engine/src/main/java/io/cairn/engine/net");

  /** Binds a port to learn its number, and talks to nobody. */
  private static final Path FREE_PORT =
      Path.of("../process/src/main/java/io/cairn/process/FreePort.java");

  private static final Pattern SOCKET =
      Pattern.compile(
          "java\\.net\\.(Server|Datagram)?Socket\\b"
              + "|java\\.net\\.UnixDomainSocketAddress"
              + "|java\\.nio\\.channels\\.\\w*(Socket|Datagram)Channel\\b"
              + "|com\\.sun\\.net\\.httpserver");

  @Test
  void onePackageOpensSockets() throws IOException {
    List<Path> opening = opening();

    assertThat(opening).as("the transport").anyMatch(file -> file.startsWith(TRANSPORT));
    assertThat(opening).contains(FREE_PORT);
    assertThat(opening)
        .as("other main classes that open sockets: ask a PeerTransport instead")
        .allMatch(file -> file.startsWith(TRANSPORT) || file.equals(FREE_PORT));
  }

  private static List<Path> opening() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(OneTransportTest::sources)
          .filter(OneTransportTest::opensSockets)
          .toList();
    }
  }

  private static Stream<Path> sources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean opensSockets(Path source) {
    try {
      return SOCKET.matcher(Files.readString(source)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
