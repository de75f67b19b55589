package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of another process's cache on this node, opened here. Opening maps the memory; it is
 * done once per peer, not per lease. Thread-safe.
 */
public final class PeerSlots implements AutoCloseable {
  private final List<DeviceMemory.Opened> opened = new ArrayList<>();
  private final @Nullable Place[] places;

  private PeerSlots(int slots) {
    places = new Place[slots];
  }

  /**
   * Opens all that a peer exports.
   *
   * @param memory opens the handles and copies from and to the slots; outlives this
   * @param exports from {@link LentSlots#exports} of the peer
   * @param chunkBytes the length of its slots
   * @throws IOException naming the peer's memory and the reason, if one cannot be opened or has
   *     another length than announced; nothing stays open then
   */
  public static PeerSlots open(DeviceMemory memory, List<SlotExport> exports, int chunkBytes)
      throws IOException {
    int slots = exports.stream().mapToInt(one -> one.firstSlot() + one.slots()).max().orElse(0);
    int covered = exports.stream().mapToInt(SlotExport::slots).reduce(0, Math::addExact);
    if (covered != slots) {
      throw new IOException(
          "slots exported by a peer: %d lie in %d pieces, not %d"
              .formatted(covered, exports.size(), slots));
    }
    PeerSlots peer = new PeerSlots(slots);
    try {
      for (SlotExport export : exports) {
        peer.add(memory, export, chunkBytes);
      }
      return peer;
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private void add(DeviceMemory memory, SlotExport export, int chunkBytes) throws IOException {
    DeviceMemory.Opened piece = memory.open(export.handle());
    opened.add(piece);
    DeviceAddress all = piece.address();
    if (all.bytes() != (long) export.slots() * chunkBytes) {
      throw new IOException(
          "%s: %d bytes are not %d slots of %d"
              .formatted(export.handle(), all.bytes(), export.slots(), chunkBytes));
    }
    for (int i = 0; i < export.slots(); i++) {
      places[export.firstSlot() + i] =
          new Place(memory, all.slice((long) i * chunkBytes, chunkBytes));
    }
  }

  /** The number of slots of the peer's cache. */
  public int slots() {
    return places.length;
  }

  /**
   * The place of a slot.
   *
   * @throws IllegalArgumentException if the peer has no such slot
   */
  public Place place(int slot) {
    Place place = slot < 0 || slot >= places.length ? null : places[slot];
    if (place == null) {
      throw new IllegalArgumentException(
          "slot " + slot + " of a peer that exports " + places.length);
    }
    return place;
  }

  /**
   * The places of slots that the peer granted.
   *
   * @param giveBack as {@link LeasedPlaces#LeasedPlaces}
   * @throws IllegalArgumentException naming the first slot that the peer does not have
   */
  public LeasedPlaces lease(int[] slots, Runnable giveBack) {
    for (int slot : slots) {
      place(slot);
    }
    return new LeasedPlaces(slots, this::place, giveBack);
  }

  /**
   * Whether it is proven that the peer is dead or has closed its device: its chunks are lost, and
   * nobody writes there any more. False without a proof.
   *
   * @throws IOException if the operating system does not answer
   */
  public boolean peerIsGone() throws IOException {
    for (DeviceMemory.Opened piece : opened) {
      if (piece.ownerIsGone()) {
        return true;
      }
    }
    return false;
  }

  /** Ends the use of the places. Idempotent. */
  @Override
  public void close() {
    opened.forEach(DeviceMemory.Opened::close);
  }
}
