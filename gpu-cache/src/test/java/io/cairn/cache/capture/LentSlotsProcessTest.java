package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Region;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.PlacedChunk;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lender whose borrower is suspended in the middle of a write. */
class LentSlotsProcessTest {
  private static final int CHUNK_BYTES = BorrowerProcess.CHUNK_BYTES;
  private static final int LENT = BorrowerProcess.CHUNKS - BorrowerProcess.HOME_SLOTS;
  private static final int SLOTS = LENT + 4;

  private final Path directory;
  private final SharedMemoryDevice device;
  private final ChunkCache cache;
  private final int[] slots;

  LentSlotsProcessTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    device = SharedMemoryDevice.open(directory, directory, SLOTS * CHUNK_BYTES);
    cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    slots = cache.lentSlots().lend(LENT);
  }

  @AfterEach
  void closeAll() {
    cache.close();
    device.close();
  }

  private ChildProcess startBorrower() throws IOException {
    ChildProcess borrower =
        Command.java(BorrowerProcess.class, directory).small(64).withErrorsInOutput().start();
    borrower.send(BorrowerProcess.encode(cache.lentSlots().exports()));
    borrower.send(Arrays.stream(slots).mapToObj(String::valueOf).collect(Collectors.joining(",")));
    return borrower;
  }

  private List<PlacedChunk> filledBy(ChildProcess borrower) throws IOException {
    List<PlacedChunk> filled = new ArrayList<>();
    for (int i = 0; i < LENT; i++) {
      int[] n =
          Arrays.stream(borrower.await("filled ").split(" ", -1))
              .mapToInt(Integer::parseInt)
              .toArray();
      filled.add(new PlacedChunk(n[0], n[1], n[2], n[3], n[4]));
    }
    return filled;
  }

  private void requireContent(List<PlacedChunk> filled) throws IOException {
    byte[] content = BorrowerProcess.content();
    for (PlacedChunk one : filled) {
      byte[] found = new byte[one.bytes()];
      Place place = cache.lentSlots().place(one.slot());
      place
          .engine()
          .copyToHostAsync(place.address().slice(0, found.length), ByteBuffer.wrap(found))
          .awaitLanding();
      int start = one.chunk() * CHUNK_BYTES;
      assertThat(found).isEqualTo(Arrays.copyOfRange(content, start, start + one.bytes()));
      CRC32C crc = new CRC32C();
      crc.update(found);
      assertThat((int) crc.getValue()).isEqualTo(one.checksum());
    }
  }

  /** A checkpoint of the lender's own that takes all slots it has left. */
  private byte[] captureOwn(int iteration) throws Exception {
    byte[] content = new byte[(SLOTS - LENT) * CHUNK_BYTES];
    new Random(iteration).nextBytes(content);
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK_BYTES);
    regions.protect(Region.of("own", content));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint own = cache.reserve(own(iteration), 0, snapshot.chunks()).orElseThrow();
    own.complete(snapshot.copyInto(own).await(), Ancestry.NONE, Fingerprint.NONE);
    return content;
  }

  private static CheckpointId own(int iteration) {
    return new CheckpointId(new GroupId("job", "lender"), 1, iteration);
  }

  private void requireOwn(int iteration, byte[] content) throws IOException {
    CachedCheckpoint own = cache.find(own(iteration), 0).orElseThrow();
    try (Pin pin = own.pin().orElseThrow()) {
      ByteBuffer found = ByteBuffer.allocate(content.length);
      for (int chunk = 0; chunk < own.chunks(); chunk++) {
        pin.reader().read(0, chunk, found);
      }
      assertThat(found.array()).isEqualTo(content);
    }
  }

  @Test
  void theBorrowerWritesIntoTheLendersSlots() throws Exception {
    try (ChildProcess borrower = startBorrower()) {
      borrower.send("capture");
      List<PlacedChunk> filled = filledBy(borrower);
      requireContent(filled);
      byte[] own = captureOwn(1);
      requireContent(filled);
      requireOwn(1, own);
      borrower.send("end");
      assertThat(borrower.exitStatus()).isZero();
    }
  }

  @Test
  void slotsOfASuspendedBorrowerStayLent() throws Exception {
    try (ChildProcess borrower = startBorrower();
        PeerSlots itsSlots =
            PeerSlots.open(
                device, BorrowerProcess.decode(borrower.await("exports ")), CHUNK_BYTES)) {
      borrower.await("scribbling ");
      borrower.stop();
      // the borrower still maps these slots, so the lender works without them
      for (int iteration = 1; iteration < 20; iteration++) {
        captureOwn(iteration);
        assertThat(cache.freeSlots()).isZero();
        assertThat(cache.lentSlots().lend(LENT)).isEmpty();
      }
      byte[] newest = captureOwn(20);
      assertThat(itsSlots.peerIsGone()).as("suspended is not dead").isFalse();
      borrower.resume();
      borrower.send("capture");
      List<PlacedChunk> filled = filledBy(borrower);
      requireContent(filled);
      requireOwn(20, newest);
      borrower.kill();
      assertThat(itsSlots.peerIsGone()).isTrue();
      requireContent(filled);
      takeBackAndUse();
    }
  }

  private void takeBackAndUse() throws Exception {
    cache.lentSlots().takeBack(slots);
    Set<Place> lent = new HashSet<>();
    CachedCheckpoint all = cache.reserve(own(30), 0, SLOTS).orElseThrow();
    for (int chunk = 0; chunk < SLOTS; chunk++) {
      lent.add(all.place(chunk));
    }
    assertThat(lent).hasSize(SLOTS);
  }
}
