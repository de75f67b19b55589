package io.cairn.cache.capture;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.PlacedChunk;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A borrower process. It reads the lender's slots from its input, writes garbage into the lent ones
 * until the next line, and then its checkpoint.
 */
final class BorrowerProcess {
  static final int CHUNK_BYTES = 1 << 16;
  static final int CHUNKS = 9;
  static final int HOME_SLOTS = 3;
  static final CheckpointId ID = new CheckpointId(new GroupId("job", "borrower"), 1, 7);

  private BorrowerProcess() {}

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    long capacity = HOME_SLOTS * CHUNK_BYTES;
    try (SharedMemoryDevice device = SharedMemoryDevice.open(directory, directory, capacity);
        ChunkCache cache = new ChunkCache(device, capacity, CHUNK_BYTES)) {
      System.out.println("exports " + encode(cache.lentSlots().exports()));
      try (PeerSlots peer = PeerSlots.open(device, decode(in.readLine()), CHUNK_BYTES)) {
        int[] slots = Arrays.stream(in.readLine().split(",")).mapToInt(Integer::parseInt).toArray();
        scribble(device, peer, slots, in);
        capture(cache, peer.lease(slots, () -> {}));
        in.readLine();
      }
    }
  }

  private static void scribble(
      SharedMemoryDevice device, PeerSlots peer, int[] slots, BufferedReader in) throws Exception {
    byte[] garbage = new byte[CHUNK_BYTES];
    new Random(99).nextBytes(garbage);
    HostMemory source = HostMemory.of(garbage);
    for (int round = 0; !in.ready(); round++) {
      for (int slot : slots) {
        CopyEvent event = device.copyAndChecksumAsync(source, 0, peer.place(slot).address());
        event.await();
      }
      if (round == 3) {
        System.out.println("scribbling on");
      }
    }
    in.readLine();
  }

  private static void capture(ChunkCache cache, LeasedPlaces leased) throws Exception {
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK_BYTES);
    regions.protect(Region.of("weights", content()));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint checkpoint = cache.reservePart(ID, 0, snapshot.chunks());
    Capture capture = snapshot.copyInto(checkpoint);
    checkpoint.add(leased);
    capture.resume();
    checkpoint.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    for (PlacedChunk one : checkpoint.in(leased)) {
      System.out.printf(
          Locale.ROOT,
          "filled %d %d %d %d %d%n",
          one.region(),
          one.chunk(),
          one.slot(),
          one.bytes(),
          one.checksum());
    }
  }

  /** The bytes that it checkpoints: a little less than all of its chunks. */
  static byte[] content() {
    byte[] bytes = new byte[CHUNKS * CHUNK_BYTES - 5];
    new Random(5).nextBytes(bytes);
    return bytes;
  }

  /** One export per word: first slot, number of slots, handle. */
  static String encode(List<SlotExport> exports) {
    StringBuilder text = new StringBuilder();
    for (SlotExport one : exports) {
      text.append(one.firstSlot()).append(':').append(one.slots()).append(':');
      text.append(HexFormat.of().formatHex(one.handle().encode())).append(' ');
    }
    return text.toString().strip();
  }

  static List<SlotExport> decode(String text) throws IOException {
    List<SlotExport> exports = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      String[] fields = word.split(":", -1);
      ExportedMemory handle = ExportedMemory.decode(HexFormat.of().parseHex(fields[2]));
      exports.add(new SlotExport(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), handle));
    }
    return exports;
  }
}
