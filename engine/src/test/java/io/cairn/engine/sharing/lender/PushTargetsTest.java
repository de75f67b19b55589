package io.cairn.engine.sharing.lender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.SampleLeases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a device whose copies land late, so that a slice that is let go of too early shows. */
class PushTargetsTest {
  private static final int CHUNK = 4096;
  private static final LeaseId LEASE = SampleLeases.lease("borrower@host:1", 1);

  private final DelayedDevice device = new DelayedDevice(1 << 20, 3);
  private final PushTargets targets = new PushTargets(CHUNK);
  private final List<DeviceAddress> slots = new ArrayList<>();

  @BeforeEach
  void grant() throws IOException {
    for (int slot = 0; slot < 3; slot++) {
      slots.add(device.allocate(CHUNK));
      write(slot, new byte[CHUNK]);
    }
    // the lease has the first two; the third is another's
    targets.begin(LEASE, slots.stream().limit(2).map(slot -> new Place(device, slot)).toList());
  }

  @AfterEach
  void close() {
    device.close();
  }

  private void write(int slot, byte[] bytes) throws IOException {
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, slots.get(slot)).awaitLanding();
  }

  private byte[] read(int slot) throws IOException {
    byte[] bytes = new byte[CHUNK];
    device.copyToHostAsync(slots.get(slot), ByteBuffer.wrap(bytes)).awaitLanding();
    return bytes;
  }

  private PeerSink open(int position, int offset, int bytes) throws IOException {
    return targets.receive(Wire.encode(new ChunkSpan(LEASE, position, offset, bytes)), bytes);
  }

  @RepeatedTest(5)
  void slicesLandWhereTheirHeaderSays(RepetitionInfo repetition) throws Exception {
    Random random = new Random(repetition.getCurrentRepetition());
    byte[] expected = new byte[CHUNK];
    byte[] wire = new byte[CHUNK];
    for (int offset = 0; offset < CHUNK; ) {
      int bytes = Math.min(CHUNK - offset, 1 + random.nextInt(CHUNK));
      PeerSink sink = open(1, offset, bytes);
      for (int done = 0; done < bytes; ) {
        int slice = 1 + random.nextInt(bytes - done);
        for (int i = 0; i < slice; i++) {
          wire[i] = (byte) random.nextInt();
        }
        System.arraycopy(wire, 0, expected, offset + done, slice);
        sink.data(ByteBuffer.wrap(wire, 0, slice).asReadOnlyBuffer());
        // as the transport does with its buffer
        Arrays.fill(wire, (byte) 0x55);
        done += slice;
      }
      sink.complete();
      offset += bytes;
    }
    assertThat(read(1)).as("seed %d", repetition.getCurrentRepetition()).isEqualTo(expected);
    assertThat(read(0)).containsOnly(0);
    assertThat(read(2)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0, 4096, 4096", // a position behind the last
    "2147483647, 0, 10, 10",
    "0, 0, 4097, 4097", // more than a slot
    "0, 4096, 1, 1",
    "0, 4000, 97, 97",
    "0, 2147483647, 1, 1", // a sum that overflows
    "0, 0, 2147483647, 2147483647",
    "0, 0, 10, 11", // more, or less, than the header says
    "0, 0, 10, 9",
    "0, 0, 0, 0",
    "-1, 0, 10, 10",
    "0, -1, 10, 10",
    "0, 0, -10, 10"
  })
  void whatDoesNotFitTheLeaseIsRefused(int position, int offset, int bytes, long announced) {
    byte[] header = Wire.encode(new ChunkSpan(LEASE, 0, 0, 1));
    ByteBuffer.wrap(header)
        .position(header.length - 3 * Integer.BYTES)
        .putInt(position)
        .putInt(offset)
        .putInt(bytes);
    assertThatIOException().isThrownBy(() -> targets.receive(header, announced));
  }

  @Test
  void anotherLeaseIsRefused() {
    for (LeaseId other :
        List.of(
            SampleLeases.lease("borrower@host:1", 2), SampleLeases.lease("another@host:1", 1))) {
      assertThatIOException()
          .isThrownBy(() -> targets.receive(Wire.encode(new ChunkSpan(other, 0, 0, 8)), 8))
          .withMessageContaining(other.toString())
          .withMessageContaining("never granted");
    }
  }

  @RepeatedTest(20)
  void noHeaderIsTakenButAWholeOne(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    byte[] header = Wire.encode(new ChunkSpan(LEASE, 0, 0, 8));
    byte[] cut = Arrays.copyOf(header, random.nextInt(header.length));
    byte[] garbage = new byte[random.nextInt(200)];
    random.nextBytes(garbage);
    for (byte[] bad : List.of(cut, garbage)) {
      assertThatIOException()
          .as("seed %d", repetition.getCurrentRepetition())
          .isThrownBy(() -> targets.receive(bad, 8));
    }
  }

  @Test
  void aSinkTakesNoMoreThanAnnounced() throws Exception {
    PeerSink sink = open(0, 8, 16);
    sink.data(ByteBuffer.allocate(10));
    assertThatIOException().isThrownBy(() -> sink.data(ByteBuffer.allocate(7)));
    assertThatIOException().isThrownBy(sink::complete).withMessageContaining("only 10 bytes came");
  }

  /** Filled, released, over or dead: the slot may be anybody's, and bytes on their way land not. */
  @Test
  void whatWasEndedIsWrittenNoMore() throws Exception {
    PeerSink first = open(0, 0, CHUNK);
    PeerSink second = open(1, 0, CHUNK);
    first.data(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    targets.end(LEASE, List.of(0, 7));
    assertThatIOException().isThrownBy(() -> first.data(ByteBuffer.allocate(8)));
    assertThatIOException().isThrownBy(() -> open(0, 0, 8)).withMessageContaining("filled");
    assertThatCode(() -> second.data(ByteBuffer.allocate(8))).doesNotThrowAnyException();
    targets.end(LEASE);
    byte[] next = new byte[CHUNK];
    Arrays.fill(next, (byte) 9);
    write(1, next);
    assertThatIOException().isThrownBy(() -> second.data(ByteBuffer.allocate(8)));
    assertThatIOException().isThrownBy(() -> open(1, 0, 8));
    assertThat(read(1)).isEqualTo(next);
  }

  @Test
  void theDeadWriteNothingAndTheLivingGoOn() throws Exception {
    LeaseId living = SampleLeases.lease("another@host:2", 1);
    targets.begin(living, List.of(new Place(device, slots.get(2))));
    PeerSink dying = open(0, 0, CHUNK);
    targets.endAll(LEASE.holder());
    assertThatIOException()
        .isThrownBy(() -> dying.data(ByteBuffer.allocate(8)))
        .withMessageContaining("declared dead");
    assertThatIOException().isThrownBy(() -> open(1, 0, 8));
    byte[] bytes = {7, 7, 7};
    PeerSink sink = targets.receive(Wire.encode(new ChunkSpan(living, 0, 0, 3)), 3);
    sink.data(ByteBuffer.wrap(bytes));
    sink.complete();
    assertThat(read(2)).startsWith(7, 7, 7, 0);
  }
}
