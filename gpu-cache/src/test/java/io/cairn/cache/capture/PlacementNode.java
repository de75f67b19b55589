package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One process of {@link PlacementModel}: its cache, what it captured, and what it borrows. */
final class PlacementNode {
  static final int SLOTS = 10;
  static final int HOST_SLOTS = 5;
  static final int CHUNK_BYTES = 16;

  final GroupId group;
  final DeviceMemory device;
  final DeviceMemory host;
  final CopyCounter counter = new CopyCounter();
  final ChunkCache cache;
  final List<Entry> entries = new ArrayList<>();
  final Map<PlacementNode, PeerSlots> peers = new HashMap<>();

  /** Slots that one checkpoint borrows of one peer. */
  static final class Borrowing {
    final PlacementNode lender;
    final int[] slots;
    final LeasedPlaces leased;
    int givenBack;
    boolean takenBack;
    boolean verified;

    Borrowing(PlacementNode borrower, PlacementNode lender, int[] slots) {
      this.lender = lender;
      this.slots = slots;
      PeerSlots there = borrower.peers.get(lender);
      assertThat(there).isNotNull();
      this.leased = there.lease(slots, () -> givenBack++);
    }
  }

  /** A checkpoint that was completed, and the bytes that it must have. */
  static final class Entry {
    final CachedCheckpoint checkpoint;
    final List<byte[]> content;
    final List<Borrowing> borrowings;
    final List<Pin> pins = new ArrayList<>();
    boolean gone;

    Entry(CachedCheckpoint checkpoint, List<byte[]> content, List<Borrowing> borrowings) {
      this.checkpoint = checkpoint;
      this.content = content;
      this.borrowings = borrowings;
    }

    /** Reads every chunk of every region and compares it. */
    void verify() throws IOException {
      try (Pin pin = checkpoint.pin().orElseThrow()) {
        verify(checkpoint.images(), pin.reader());
      }
    }

    private void verify(List<RegionImage> images, ChunkReader reader) throws IOException {
      for (int region = 0; region < images.size(); region++) {
        RegionImage image = images.get(region);
        for (int chunk = 0; chunk < image.chunks(); chunk++) {
          assertThat(PlacementNode.read(reader, region, chunk, image.chunkLength(chunk)))
              .as("%s, region %d, chunk %d", checkpoint, region, chunk)
              .isEqualTo(expected(region, chunk, image.chunkLength(chunk)));
        }
      }
    }

    byte[] expected(int region, int chunk, int length) {
      int start = chunk * CHUNK_BYTES;
      return Arrays.copyOfRange(content.get(region), start, start + length);
    }
  }

  PlacementNode(int number, DeviceMemory device, DeviceMemory host) throws IOException {
    group = new GroupId("job", "g" + number);
    this.device = counter.count(device);
    this.host = counter.count(host);
    cache =
        new ChunkCache(
            this.device, SLOTS * CHUNK_BYTES, this.host, HOST_SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    cache.onEvict(
        gone -> entries.stream().filter(e -> e.checkpoint == gone).forEach(e -> e.gone = true));
  }

  void meet(PlacementNode peer) throws IOException {
    peers.put(peer, PeerSlots.open(device, peer.cache.lentSlots().exports(), CHUNK_BYTES));
  }

  /** Of one allocation, and so of what the cache gives up at once. */
  long slabBytes() {
    return Math.min(SLOTS * CHUNK_BYTES, device.largestAllocation());
  }

  boolean isInSlabs() {
    return slabBytes() < SLOTS * CHUNK_BYTES;
  }

  void closeGivenUp() {
    peers.values().forEach(PeerSlots::closeGivenUp);
  }

  static byte[] read(ChunkReader reader, int region, int chunk, int length) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(length);
    reader.read(region, chunk, found);
    assertThat(found.hasRemaining()).isFalse();
    return found.array();
  }

  void close() {
    peers.values().forEach(PeerSlots::close);
    cache.close();
    host.close();
    device.close();
  }
}
