package io.cairn.engine.config;

import io.cairn.flush.redundancy.RedundancyScheme;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  static final ValueType<Redundancy> REDUNDANCY =
      new ValueType<>("none, partner, xor:K or rs:K+M, such as rs:4+2", Redundancy::parse);

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

  /**
   * What the setting says.
   *
   * @param data the most ranks of a set
   * @param parities of a set
   */
  record Redundancy(Scheme scheme, int data, int parities) {
    private static final Pattern SETS =
        Pattern.compile("(xor):(\\d{1,4})|(rs):(\\d{1,4})\\+(\\d{1,4})");

    private static Optional<Redundancy> parse(String text) {
      Matcher sets = SETS.matcher(text);
      if (!sets.matches()) {
        return switch (text) {
          case "none" -> Optional.of(new Redundancy(Scheme.NONE, DATA, 1));
          case "partner" -> Optional.of(new Redundancy(Scheme.PARTNER, DATA, 1));
          default -> Optional.empty();
        };
      }
      return Optional.of(
          sets.group(1) != null
              ? new Redundancy(Scheme.XOR, pieces(sets.group(2)), 1)
              : new Redundancy(Scheme.RS, pieces(sets.group(4)), pieces(sets.group(5))));
    }

    private static int pieces(String text) {
      int pieces = Integer.parseInt(text);
      if (pieces < 1 || pieces > RedundancyScheme.MOST_PIECES) {
        throw new IllegalArgumentException(
            "give numbers from 1 to " + RedundancyScheme.MOST_PIECES);
      }
      return pieces;
    }
  }

  static PeerSettings of(SettingValues given) {
    Redundancy redundancy = given.get(Setting.PEER);
    PeerSettings settings =
        new PeerSettings(
            redundancy.scheme(),
            given.get(Setting.PEER_DOMAIN),
            given.get(Setting.RATE),
            redundancy.data(),
            redundancy.parities());
    if (settings.on() && !given.get(Setting.SHARING).ofNodes()) {
      throw given.illegal(Setting.PEER, "none, or set sharing to on or node");
    }
    return settings;
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
