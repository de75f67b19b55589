package io.cairn.cli.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** What a problem or a topology may say. */
enum Key {
  ID("id", false, false),
  DEVICES("devices", true, true),
  REMAINDERS("remainderBytes", false, true),
  SPARES("spareBytes", false, true),
  LINKS("linkBytesPerSecond", true, true),
  HOST_LINKS("hostLinkBytesPerSecond", true, true),
  CHUNK("chunkBytes", false, true),
  EGRESS("egressBytesPerSecond", true, false),
  INGRESS("ingressBytesPerSecond", true, false),
  HOST_LINK_GROUPS("hostLinkGroups", true, false),
  NODES("nodes", true, false);

  private final String text;
  private final boolean inTopology;
  private final boolean required;

  Key(String text, boolean inTopology, boolean required) {
    this.text = text;
    this.inTopology = inTopology;
    this.required = required;
  }

  /** Whether a topology without problem has it too. */
  boolean inTopology() {
    return inTopology;
  }

  /** Whether it must be there. */
  boolean required() {
    return required;
  }

  /** The key as written. */
  @Override
  public String toString() {
    return text;
  }

  /** The key that is written so; refuses others, since what is not understood may matter. */
  static Key of(String text) {
    Optional<Key> known = Arrays.stream(values()).filter(key -> key.text.equals(text)).findFirst();
    return known.orElseThrow(
        () -> new IllegalArgumentException("unknown key '" + text + "'" + nearest(text)));
  }

  private static String nearest(String text) {
    if (text.length() > 64) {
      return "";
    }
    return Arrays.stream(values())
        .min(Comparator.comparingInt(key -> edits(text, key.text)))
        .map(key -> "; did you mean '" + key + "'?")
        .orElse("");
  }

  /** Levenshtein's distance, without regard to case. */
  private static int edits(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, column -> column);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        char a = Character.toLowerCase(one.charAt(i - 1));
        char b = Character.toLowerCase(other.charAt(j - 1));
        int replaced = diagonal + (a == b ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
