package io.cairn.cache.memory.cuda;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.PlacedChunk;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A process whose checkpoint lies in its own cache and in slots of a lender on the same GPU. It
 * reads the checkpoint back and verifies it for each line of its input.
 */
final class CudaBorrower {
  static final int CHUNK_BYTES = 1 << 12;
  static final int CHUNKS = 9;
  static final int HOME_SLOTS = 3;
  static final int LENT_SLOTS = CHUNKS - HOME_SLOTS;
  static final int LENDER_SLOTS = LENT_SLOTS + 3;
  static final long HOME_BYTES = HOME_SLOTS * CHUNK_BYTES;
  static final long LENDER_BYTES = LENDER_SLOTS * CHUNK_BYTES;

  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "borrower"), 1, 7);

  private CudaBorrower() {}

  static Command command(Path directory, SlotExport all, int[] slots) {
    return Command.java(
            CudaBorrower.class,
            FakeCuda.library(),
            directory,
            HexFormat.of().formatHex(all.handle().encode()),
            Arrays.stream(slots).mapToObj(String::valueOf).collect(Collectors.joining(",")))
        .small(64)
        .withErrorsInOutput();
  }

  public static void main(String[] args) throws Exception {
    CudaOptions options =
        new CudaOptions(
            args[0], 0, HOME_BYTES, Devices.PINNED_BYTES, Duration.ofMinutes(1), Path.of(args[1]));
    ExportedMemory handle = ExportedMemory.decode(HexFormat.of().parseHex(args[2]));
    List<SlotExport> lent = List.of(new SlotExport(0, LENDER_SLOTS, handle));
    int[] slots = Stream.of(args[3].split(",", -1)).mapToInt(Integer::parseInt).toArray();
    try (CudaDevice device = CudaDevice.open(options);
        ChunkCache cache = new ChunkCache(device, HOME_BYTES, CHUNK_BYTES);
        PeerSlots lender = PeerSlots.open(device, lent, CHUNK_BYTES)) {
      LeasedPlaces leased = lender.lease(slots, () -> {});
      CachedCheckpoint checkpoint = capture(cache, leased);
      for (PlacedChunk one : checkpoint.in(leased)) {
        System.out.printf(Locale.ROOT, "filled %d %d %d%n", one.chunk(), one.slot(), one.bytes());
      }
      answer(lender, checkpoint);
    }
    System.out.println("closed");
  }

  private static CachedCheckpoint capture(ChunkCache cache, LeasedPlaces leased) throws Exception {
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK_BYTES);
    regions.protect(Region.of("weights", content()));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint checkpoint = cache.reservePart(ID, 0, snapshot.chunks());
    Capture capture = snapshot.copyInto(checkpoint);
    checkpoint.add(leased);
    capture.resume();
    checkpoint.complete(capture.await(), Ancestry.NONE, Fingerprint.NONE);
    return checkpoint;
  }

  private static void answer(PeerSlots lender, CachedCheckpoint checkpoint) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    while (in.readLine() != null) {
      System.out.println("verified " + verified(checkpoint));
      System.out.println("gone " + lender.peerIsGone());
      lender.closeGivenUp();
      System.out.println("open " + lender.slots());
    }
  }

  /** How many chunks have the bytes that were captured. */
  private static int verified(CachedCheckpoint checkpoint) throws IOException {
    RegionImage image = checkpoint.images().get(0);
    ByteBuffer expected = ByteBuffer.wrap(content());
    int same = 0;
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        ByteBuffer found = ByteBuffer.allocate(image.chunkLength(chunk));
        pin.reader().read(0, chunk, found);
        CRC32C crc = new CRC32C();
        crc.update(found.flip());
        ByteBuffer captured = expected.slice(chunk * CHUNK_BYTES, found.capacity());
        if ((int) crc.getValue() == image.checksum(chunk) && captured.equals(found.rewind())) {
          same++;
        }
      }
    }
    return same;
  }

  /** The bytes that it checkpoints: a little less than all of its chunks. */
  static byte[] content() {
    byte[] bytes = new byte[CHUNKS * CHUNK_BYTES - 5];
    new Random(5).nextBytes(bytes);
    return bytes;
  }
}
