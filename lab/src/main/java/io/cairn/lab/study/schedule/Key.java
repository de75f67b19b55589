package io.cairn.lab.study.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The keys of a problem or a topology. */
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
    String typed = text.toLowerCase(Locale.ROOT);
    LevenshteinDistance edits = LevenshteinDistance.getDefaultInstance();
    return Arrays.stream(values())
        .min(Comparator.comparing(key -> edits.apply(typed, key.text.toLowerCase(Locale.ROOT))))
        .map(key -> "; did you mean '" + key + "'?")
        .orElse("");
  }
}
