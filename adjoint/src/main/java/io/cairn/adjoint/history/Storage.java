package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.OpenParts;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All memory, files and objects that a history holds. Not thread-safe. */
final class Storage implements Closeable {
  private final OpenParts opened = new OpenParts();
  private final StateMemory memory;
  private final List<Room> rooms = new ArrayList<>();
  private final HistoryPlaces places;
  private final int chunkBytes;
  private final @Nullable MemoryShelf borrowed;
  private @Nullable PeerMember member;

  /**
   * Opens all.
   *
   * @throws IOException naming the memory or the directory, if it has no room, or another history
   *     has the directory
   */
  Storage(HistoryPlaces places, HistorySettings settings, boolean resumes) throws IOException {
    this.places = places;
    chunkBytes = settings.chunkBytes();
    Lenders lenders = places.lenders();
    if (lenders != null) {
      lenders.requireFree(places.number(), chunkBytes);
    }
    try {
      Segments files = opened.add(new Segments(settings, resumes));
      memory = memory(places.device, settings);
      Closeable unused = opened.add(this::closeMemory);
      borrowed =
          lenders == null ? null : new MemoryShelf(lenders.shelf(), places.device, chunkBytes);
      if (borrowed != null) {
        rooms.add(new Room(rooms.size(), borrowed, 0, false));
      }
      MemoryShelf host = places.openHost(chunkBytes);
      if (host != null) {
        rooms.add(new Room(rooms.size(), opened.add(host), host.chunks(), false));
      }
      rooms.add(new Room(rooms.size(), files, settings.fileChunks(), resumes));
      StoreShelf store = places.openStore(settings, resumes);
      if (store != null) {
        rooms.add(
            new Room(rooms.size(), opened.add(store), places.storeChunks(chunkBytes), resumes));
      }
    } catch (IOException | RuntimeException | Error e) {
      OpenParts.closeAfter(this, e);
      throw e;
    }
  }

  private static StateMemory memory(DeviceMemory device, HistorySettings settings)
      throws IOException {
    StateMemory mapped = MappedMemory.open(device, settings);
    return mapped == null ? CopiedMemory.open(device, settings) : mapped;
  }

  /**
   * Joins the histories that lend each other memory; null if there are none.
   *
   * @throws IllegalArgumentException if another one has this device
   */
  @Nullable PeerMember join(Ledger ledger) {
    Lenders lenders = places.lenders();
    if (lenders == null || borrowed == null) {
      return null;
    }
    Lending lending = ledger.lending();
    PeerMember joined =
        new PeerMember(
            lenders,
            places.number(),
            new LentChunks(places.device, chunkBytes, memory.slabs(), lending),
            new BorrowedChunks(
                lenders.borrower(), places.device, chunkBytes, lending, rooms.get(0), borrowed));
    lenders.join(joined);
    member = joined;
    return joined;
  }

  private void closeMemory() {
    if (member != null) {
      member.leave(memory::close);
    } else {
      memory.close();
    }
  }

  StateMemory memory() {
    return memory;
  }

  /** Below the device, the fastest first. */
  List<Room> rooms() {
    return rooms;
  }

  /** Closes all. Idempotent. */
  @Override
  public void close() throws IOException {
    opened.close();
  }

  /** Forgets what an earlier process left; no state is on its way. */
  void clear() throws IOException {
    for (Room room : rooms) {
      room.shelf.clear();
    }
  }

  /** Removes files and objects. */
  void delete() throws IOException {
    for (Room room : rooms) {
      room.shelf.delete();
    }
  }
}
