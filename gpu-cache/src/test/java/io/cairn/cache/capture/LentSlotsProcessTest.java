package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.HeldChunk;
import io.cairn.cache.chunk.HeldChunks;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.session.Region;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver whose slots another process writes into, and stops in the middle of. */
class LentSlotsProcessTest {
  private static final int CHUNK_BYTES = SenderProcess.CHUNK_BYTES;
  private static final int LENT = SenderProcess.CHUNKS - SenderProcess.HOME_SLOTS;
  private static final int SLOTS = LENT + 4;

  private final Path directory;
  private final SharedMemoryDevice device;
  private final ChunkCache cache;
  private final int[] slots;

  LentSlotsProcessTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    device = SharedMemoryDevice.open(directory, directory, SLOTS * CHUNK_BYTES);
    cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    slots = cache.lending().lend(LENT);
  }

  @AfterEach
  void closeAll() {
    cache.close();
    device.close();
  }

  private ChildProcess startSender() throws IOException {
    ChildProcess sender =
        Command.java(SenderProcess.class, directory).small(64).withErrorsInOutput().start();
    sender.send(SenderProcess.encode(cache.lending().exports()));
    sender.send(Arrays.stream(slots).mapToObj(String::valueOf).collect(Collectors.joining(",")));
    return sender;
  }

  private HeldChunks holdWhatItFilled(ChildProcess sender) throws IOException {
    List<HeldChunk> filled = new ArrayList<>();
    for (int i = 0; i < LENT; i++) {
      int[] n =
          Arrays.stream(sender.await("filled ").split(" ", -1))
              .mapToInt(Integer::parseInt)
              .toArray();
      filled.add(new HeldChunk(n[0], n[1], n[2], n[3], n[4]));
    }
    return cache
        .lending()
        .hold(SenderProcess.ID, 0, filled, ByteBuffer.allocateDirect(CHUNK_BYTES));
  }

  private static void requireContent(HeldChunks held) throws IOException {
    byte[] content = SenderProcess.content();
    try (Pin pin = held.pin().orElseThrow()) {
      for (HeldChunk one : held.chunks()) {
        ByteBuffer found = ByteBuffer.allocate(one.bytes());
        pin.reader().read(one.region(), one.chunk(), found);
        int start = one.chunk() * CHUNK_BYTES;
        assertThat(found.array())
            .isEqualTo(Arrays.copyOfRange(content, start, start + one.bytes()));
      }
    }
  }

  /** A checkpoint of the receiver's own that takes all slots it has left. */
  private byte[] captureOwn(int iteration) throws Exception {
    byte[] content = new byte[(SLOTS - LENT) * CHUNK_BYTES];
    new Random(iteration).nextBytes(content);
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), CHUNK_BYTES);
    regions.protect(Region.of("own", content));
    Snapshot snapshot = regions.snapshot();
    CachedCheckpoint own = cache.reserve(own(iteration), 0, snapshot.chunks()).orElseThrow();
    own.complete(snapshot.copyInto(own).await(), Ancestry.NONE);
    return content;
  }

  private static CheckpointId own(int iteration) {
    return new CheckpointId(new GroupId("job", "receiver"), 1, iteration);
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
  void theSenderWritesIntoTheReceiversSlots() throws Exception {
    try (ChildProcess sender = startSender()) {
      sender.send("go on");
      HeldChunks held = holdWhatItFilled(sender);
      requireContent(held);
      byte[] own = captureOwn(1);
      requireContent(cache.lending().find(SenderProcess.ID, 0).orElseThrow());
      requireOwn(1, own);
      sender.send("end");
      assertThat(sender.exitStatus()).isZero();
    }
  }

  @Test
  void slotsOfAStoppedSenderBelongToNoOther() throws Exception {
    try (ChildProcess sender = startSender();
        PeerSlots itsSlots =
            PeerSlots.open(device, SenderProcess.decode(sender.await("exports ")), CHUNK_BYTES)) {
      sender.await("scribbling ");
      sender.stop();
      // the promise has ended, the mapping has not: the receiver works without these slots
      for (int iteration = 1; iteration < 20; iteration++) {
        captureOwn(iteration);
        assertThat(cache.freeSlots()).isZero();
        assertThat(cache.lending().lend(LENT)).isEmpty();
      }
      byte[] newest = captureOwn(20);
      assertThat(itsSlots.peerIsGone()).as("stopped is not dead").isFalse();
      sender.resume();
      sender.send("go on");
      requireContent(holdWhatItFilled(sender));
      requireOwn(20, newest);
      sender.kill();
      assertThat(itsSlots.peerIsGone()).isTrue();
      requireContent(cache.lending().find(SenderProcess.ID, 0).orElseThrow());
      takeBackAndUse();
    }
  }

  private void takeBackAndUse() throws Exception {
    cache.lending().takeBack(slots);
    assertThat(cache.lending().find(SenderProcess.ID, 0)).isEmpty();
    Set<Place> lent = new HashSet<>();
    CachedCheckpoint all = cache.reserve(own(30), 0, SLOTS).orElseThrow();
    for (int chunk = 0; chunk < SLOTS; chunk++) {
      lent.add(all.place(chunk));
    }
    assertThat(lent).hasSize(SLOTS);
  }
}
