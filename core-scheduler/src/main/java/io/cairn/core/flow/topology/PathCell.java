package io.cairn.core.flow.topology;

import java.util.Optional;

/**
 * One cell of the matrix: the path between two devices.
 *
 * @param nvLinks bonded NVLinks, 0 for every other kind
 */
record PathCell(Kind kind, int nvLinks) {
  /** Kinds of paths. */
  enum Kind {
    /** The device itself: X. */
    SELF,
    /** NVLinks: NV1 to NV18. */
    NV_LINK,
    /** PCIe bridges alone: PIX, PXB, PSB. */
    SWITCH,
    /** A PCIe host bridge or more: PHB, NODE, SYS, and SOC of older drivers. */
    HOST
  }

  /** Parses a cell; empty if no driver prints it. */
  static Optional<PathCell> parse(String text) {
    return switch (text) {
      case "X" -> Optional.of(new PathCell(Kind.SELF, 0));
      case "PIX", "PXB", "PSB" -> Optional.of(new PathCell(Kind.SWITCH, 0));
      case "PHB", "NODE", "SYS", "SOC" -> Optional.of(new PathCell(Kind.HOST, 0));
      default -> nvLink(text);
    };
  }

  private static Optional<PathCell> nvLink(String text) {
    if (!text.matches("NV[1-9]\\d?")) {
      return Optional.empty();
    }
    int links = Integer.parseInt(text.substring(2));
    return links > LinkRates.MOST_NV_LINKS
        ? Optional.empty()
        : Optional.of(new PathCell(Kind.NV_LINK, links));
  }
}
