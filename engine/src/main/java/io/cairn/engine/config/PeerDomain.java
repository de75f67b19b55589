package io.cairn.engine.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** How a process learns its failure domain, that is what fails at once. */
public sealed interface PeerDomain {
  /** A machine, by the name of its host. */
  record Host() implements PeerDomain {}

  /** A node directory; several may be on one machine. */
  record Node() implements PeerDomain {}

  /**
   * A file that lists the domains of hosts.
   *
   * @param file its lines are a host and a domain, separated by blanks; {@code #} begins a comment
   */
  record Listed(Path file) implements PeerDomain {}

  /**
   * A program that prints the domain of a host.
   *
   * @param program receives the name of the host as its only argument, and prints one line
   */
  record Asked(Path program) implements PeerDomain {}

  /** What the setting says; empty if that is none of these. */
  static Optional<PeerDomain> parse(String text) {
    return switch (text) {
      case "host" -> Optional.of(new Host());
      case "node" -> Optional.of(new Node());
      default -> ofPath(text);
    };
  }

  private static Optional<PeerDomain> ofPath(String text) {
    int colon = text.indexOf(':');
    try {
      Path path = Path.of(text.substring(colon + 1).strip());
      if (path.isAbsolute() && text.startsWith("map:")) {
        return Optional.of(new Listed(path));
      } else if (path.isAbsolute() && text.startsWith("script:")) {
        return Optional.of(new Asked(path));
      }
      return Optional.empty();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("give another path (" + e.getReason() + ")", e);
    }
  }
}
