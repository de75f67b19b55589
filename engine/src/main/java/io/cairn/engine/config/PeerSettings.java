package io.cairn.engine.config;

/**
 * The settings for copies on other machines.
 *
 * @param scheme how PEER protects checkpoints
 * @param domain what a copy must be apart from
 * @param bytesPerSecond the most that a process fetches to keep it for others; 0 for no bound
 */
public record PeerSettings(Scheme scheme, Domain domain, long bytesPerSecond) {
  /** No PEER. */
  public static final PeerSettings NONE = new PeerSettings(Scheme.NONE, Domain.HOST, 0);

  /** How PEER protects checkpoints. */
  public enum Scheme {
    /** There is no PEER. */
    NONE,
    /** One other machine keeps a whole copy. */
    PARTNER
  }

  /** What fails at once. */
  public enum Domain {
    /** A machine, by the name of its host. */
    HOST,
    /** A node directory; several may be on one machine. */
    NODE
  }

  static PeerSettings of(SettingValues given) {
    PeerSettings settings =
        new PeerSettings(
            switch (given.text(Setting.PEER_SCHEME)) {
              case "none" -> Scheme.NONE;
              case "partner" -> Scheme.PARTNER;
              default -> throw given.illegal(Setting.PEER_SCHEME, "none or partner");
            },
            switch (given.text(Setting.PEER_DOMAIN)) {
              case "host" -> Domain.HOST;
              case "node" -> Domain.NODE;
              default -> throw given.illegal(Setting.PEER_DOMAIN, "host or node");
            },
            given.bytes(Setting.PEER_RATE));
    if (settings.on() && !given.isOn(Setting.NODE_SERVE)) {
      throw given.illegal(Setting.PEER_SCHEME, "none, or set node.serve to on");
    }
    return settings;
  }

  /** Whether there is a level PEER. */
  public boolean on() {
    return scheme != Scheme.NONE;
  }
}
