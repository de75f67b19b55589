package io.cairn.cache.chunk;

import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.wire.PeerReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

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

  /**
   * The exports of a peer.
   *
   * @throws IOException if one of its handles is none
   */
  public static List<SlotExport> of(PeerReply.Greeting greeting) throws IOException {
    List<SlotExport> exports = new ArrayList<>();
    for (PeerReply.Export export : greeting.exports()) {
      byte[] handle = new byte[export.handle().remaining()];
      export.handle().get(handle);
      exports.add(
          new SlotExport(export.firstSlot(), export.slots(), ExportedMemory.decode(handle)));
    }
    return exports;
  }

  /** As peers receive it. */
  public PeerReply.Export toMessage() {
    return new PeerReply.Export(firstSlot, slots, ByteBuffer.wrap(handle.encode()));
  }

  /** The number after the last. */
  public int end() {
    return firstSlot + slots;
  }
}
