package io.cairn.engine.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

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

  /** Reads the setting. */
  static PeerDomain of(SettingValues given) {
    String text = given.text(Setting.PEER_DOMAIN);
    return switch (text) {
      case "host" -> new Host();
      case "node" -> new Node();
      default -> ofPath(given, text);
    };
  }

  private static PeerDomain ofPath(SettingValues given, String text) {
    String legal = "host, node, map:/FILE or script:/FILE";
    int colon = text.indexOf(':');
    try {
      Path path = Path.of(text.substring(colon + 1).strip());
      if (path.isAbsolute() && text.startsWith("map:")) {
        return new Listed(path);
      } else if (path.isAbsolute() && text.startsWith("script:")) {
        return new Asked(path);
      }
    } catch (InvalidPathException e) {
      throw given.illegal(Setting.PEER_DOMAIN, legal + " (" + e.getReason() + ")");
    }
    throw given.illegal(Setting.PEER_DOMAIN, legal);
  }
}
