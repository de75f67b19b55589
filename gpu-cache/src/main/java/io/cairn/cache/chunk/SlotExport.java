package io.cairn.cache.chunk;

import io.cairn.cache.memory.ExportedMemory;

/**
 * Slots that lie side by side in one piece of memory, for other processes of this node.
 *
 * @param firstSlot number of the first
 * @param slots how many follow each other from there
 * @param handle to all of them
 */
public record SlotExport(int firstSlot, int slots, ExportedMemory handle) {
  /** Checks the numbers. */
  public SlotExport {
    if (firstSlot < 0 || slots < 1 || firstSlot > Integer.MAX_VALUE - slots) {
      throw new IllegalArgumentException("exported slots: " + slots + " from " + firstSlot + " on");
    }
  }
}
