package io.cairn.engine.config;

import io.cairn.flush.redundancy.RedundancyScheme;

/**
 * The settings for copies on other machines.
 *
 * @param scheme how PEER protects checkpoints
 * @param domain how the process learns what a copy must be apart from
 * @param bytesPerSecond the most that a process fetches to keep it for others; 0 for no bound
 * @param data the most ranks of a set that shares parities
 * @param parities of a set
 */
public record PeerSettings(
    Scheme scheme, PeerDomain domain, long bytesPerSecond, int data, int parities) {
  private static final int DATA = 4;
  private static final int PARITIES = 2;

  /** No PEER. */
  public static final PeerSettings NONE = new PeerSettings(Scheme.NONE, new PeerDomain.Host(), 0);

  /** Settings with sets of the default size. */
  public PeerSettings(Scheme scheme, PeerDomain domain, long bytesPerSecond) {
    this(scheme, domain, bytesPerSecond, DATA, scheme == Scheme.RS ? PARITIES : 1);
  }

  /** How PEER protects checkpoints. */
  public enum Scheme {
    /** There is no PEER. */
    NONE,
    /** One other machine keeps a whole copy. */
    PARTNER,
    /** Sets of ranks on different machines share one parity. */
    XOR,
    /** Sets of ranks on different machines share several parities. */
    RS
  }

  static PeerSettings of(SettingValues given) {
    Scheme scheme =
        switch (given.text(Setting.PEER_SCHEME)) {
          case "none" -> Scheme.NONE;
          case "partner" -> Scheme.PARTNER;
          case "xor" -> Scheme.XOR;
          case "rs" -> Scheme.RS;
          default -> throw given.illegal(Setting.PEER_SCHEME, "none, partner, xor or rs");
        };
    int parities = pieces(given, Setting.PEER_PARITY);
    PeerSettings settings =
        new PeerSettings(
            scheme,
            PeerDomain.of(given),
            given.bytes(Setting.PEER_RATE),
            pieces(given, Setting.PEER_SET),
            scheme == Scheme.RS ? parities : 1);
    if (settings.on() && !given.isOn(Setting.NODE_SERVE)) {
      throw given.illegal(Setting.PEER_SCHEME, "none, or set node.serve to on");
    }
    return settings;
  }

  private static int pieces(SettingValues given, Setting setting) {
    long pieces = given.number(setting);
    if (pieces < 1 || pieces > RedundancyScheme.MOST_PIECES) {
      throw given.illegal(setting, "a number from 1 to " + RedundancyScheme.MOST_PIECES);
    }
    return (int) pieces;
  }

  /** Whether ranks form sets that share parities. */
  public boolean inSets() {
    return scheme == Scheme.XOR || scheme == Scheme.RS;
  }

  /** Whether there is a level PEER. */
  public boolean on() {
    return scheme != Scheme.NONE;
  }
}
