package io.cairn.core.sharing;

/**
 * Where a holder's device is.
 *
 * @param holder the process, unique per process start
 * @param node its machine's name
 * @param device the index of its device on that machine
 */
public record HolderSite(String holder, String node, int device) {
  /** Most devices of one machine. */
  private static final int MOST_DEVICES = 1024;

  /** Checks the ranges. */
  public HolderSite {
    Bounds.name("a holder's id", holder);
    Bounds.name("a node's name", node);
    Bounds.range("the index of a device", device, 0, MOST_DEVICES - 1);
  }
}
