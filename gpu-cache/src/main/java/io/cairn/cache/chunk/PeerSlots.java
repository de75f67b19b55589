package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/**
 * The slots of another process's cache on this node, opened here. Opening maps the memory; it is
 * done once per peer, not per lease. Thread-safe.
 */
public final class PeerSlots implements AutoCloseable {
  /** Each has a place here; no cache has as many. */
  private static final int MOST_SLOTS = 1 << 24;

  /** By the number of their first slot. */
  private final NavigableMap<Integer, Piece> pieces = new ConcurrentSkipListMap<>();

  private record Piece(DeviceMemory.Opened opened, List<Place> places) {}

  private PeerSlots() {}

  /**
   * Opens all that a peer exports.
   *
   * @param memory opens the handles and copies from and to the slots; outlives this
   * @param exports from {@link LentSlots#exports} of the peer
   * @param chunkBytes the length of its slots
   * @throws IOException naming the peer's memory and the reason, if one cannot be opened, has
   *     another length than announced, or overlaps another one; nothing stays open then
   */
  public static PeerSlots open(DeviceMemory memory, List<SlotExport> exports, int chunkBytes)
      throws IOException {
    PeerSlots peer = new PeerSlots();
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

  /**
   * Opens what the peer has taken since, for slots that are not {@link #knows known} here.
   *
   * @param exports all that the peer exports now
   * @throws IOException as {@link #open}; what was open stays open
   */
  public synchronized void openMore(DeviceMemory memory, List<SlotExport> exports, int chunkBytes)
      throws IOException {
    for (SlotExport export : exports) {
      if (!knows(export.firstSlot())) {
        add(memory, export, chunkBytes);
      }
    }
  }

  /** Whether a slot is open here. */
  public boolean knows(int slot) {
    Map.Entry<Integer, Piece> piece = pieces.floorEntry(slot);
    return piece != null && slot - piece.getKey() < piece.getValue().places().size();
  }

  private void add(DeviceMemory memory, SlotExport export, int chunkBytes) throws IOException {
    int first = export.firstSlot();
    if (export.end() > MOST_SLOTS) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "slots exported by a peer: %d from %d on; a cache has at most %d",
              export.slots(),
              first,
              MOST_SLOTS));
    }
    Map.Entry<Integer, Piece> before = pieces.lowerEntry(first + export.slots());
    if (before != null && before.getKey() + before.getValue().places().size() > first) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "slots exported by a peer: %d from %d on overlap those from %d on",
              export.slots(),
              first,
              before.getKey()));
    }
    DeviceMemory.Opened opened = memory.open(export.handle());
    DeviceAddress all = opened.address();
    if (all.bytes() != (long) export.slots() * chunkBytes) {
      opened.close();
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: %d bytes are not %d slots of %d",
              export.handle(),
              all.bytes(),
              export.slots(),
              chunkBytes));
    }
    List<Place> places = new ArrayList<>(export.slots());
    for (int i = 0; i < export.slots(); i++) {
      places.add(new Place(memory, all.slice((long) i * chunkBytes, chunkBytes)));
    }
    pieces.put(first, new Piece(opened, places));
  }

  /** Whether copies reach the slots; where they do not, the peer writes and reads them. */
  public boolean areReached() {
    return pieces.values().stream().allMatch(piece -> piece.opened().isReached());
  }

  /** The number of slots of the peer's cache that are open here. */
  public int slots() {
    return pieces.values().stream().mapToInt(piece -> piece.places().size()).sum();
  }

  /**
   * The place of a slot.
   *
   * @throws IllegalArgumentException if the peer has no such slot, or has given it up
   */
  public Place place(int slot) {
    Map.Entry<Integer, Piece> piece = pieces.floorEntry(slot);
    if (piece == null || slot - piece.getKey() >= piece.getValue().places().size()) {
      throw new IllegalArgumentException("slot " + slot + " of a peer that exports " + slots());
    }
    return piece.getValue().places().get(slot - piece.getKey());
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
    for (Piece piece : pieces.values()) {
      if (piece.opened().ownerIsGone()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Closes what the peer has given up, which it frees then. It has all leases back before it gives
   * memory up.
   */
  public void closeGivenUp() {
    closeIf(piece -> piece.opened().isGivenUp());
  }

  private void closeIf(Predicate<Piece> which) {
    for (Map.Entry<Integer, Piece> piece : List.copyOf(pieces.entrySet())) {
      if (which.test(piece.getValue())) {
        pieces.remove(piece.getKey());
        piece.getValue().opened().close();
      }
    }
  }

  /** Ends the use of the places. Idempotent. */
  @Override
  public void close() {
    closeIf(piece -> true);
  }
}
