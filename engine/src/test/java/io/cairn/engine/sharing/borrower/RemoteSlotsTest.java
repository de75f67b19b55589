package io.cairn.engine.sharing.borrower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.Region;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.SampleLeases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way to another machine, over a transport that takes a push when the test says so. */
@Timeout(60)
class RemoteSlotsTest {
  private static final int PIECE = 4 << 20;
  private static final int CHUNK = 2 * PIECE + 1024;
  private static final LeaseId ID = SampleLeases.lease("borrower@here:1", 1);

  private final Pushes pushes = new Pushes();
  private final PushQueue staging =
      new PushQueue(pushes, CHUNK, Executors.newSingleThreadExecutor(DaemonThreads.named("stage")));
  private final byte[] slots = new byte[2 * CHUNK];

  /** A push that waits to be taken. */
  private record Pushed(
      PeerAddress peer, ChunkSpan span, ByteBuffer body, CompletableFuture<Void> taken) {}

  private static final class Pushes implements PeerTransport {
    final BlockingQueue<Pushed> waiting = new LinkedBlockingQueue<>();

    @Override
    public PeerAddress address() {
      return new PeerAddress("here", 1);
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      return CompletableFuture.failedFuture(new IOException("nobody is asked here"));
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      CompletableFuture<Void> taken = new CompletableFuture<>();
      waiting.add(new Pushed(peer, Wire.decode(header, ChunkSpan.class), body, taken));
      return taken;
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    staging.close();
    pushes.waiting.forEach(push -> push.taken().complete(null));
  }

  private RemoteSlots lease(int port) {
    HolderId lender = new HolderId("1", "lender", new PeerAddress("there", port));
    return new RemoteSlots(ID, lender, 2, CHUNK, staging, this::answer, Waits.REAL);
  }

  private CompletionStage<PeerReply.Piece> answer(ChunkSpan span) {
    if (span.bytes() > PeerReply.Piece.MOST_BYTES) {
      return CompletableFuture.failedFuture(new IOException("too much at once"));
    }
    int from = span.position() * CHUNK + span.offset();
    return CompletableFuture.supplyAsync(
        () ->
            new PeerReply.Piece(
                ByteBuffer.wrap(Arrays.copyOfRange(slots, from, from + span.bytes()))));
  }

  private Pushed take() throws InterruptedException {
    Pushed push = pushes.waiting.take();
    push.body()
        .get(
            push.body().position(),
            slots,
            push.span().position() * CHUNK + push.span().offset(),
            push.span().bytes());
    push.taken().complete(null);
    return push;
  }

  private static float[] floats(int seed) {
    Random random = new Random(seed);
    float[] floats = new float[CHUNK / Float.BYTES + 100];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat();
    }
    return floats;
  }

  /** A lender that hangs is waited for once, not once for every few chunks. */
  @Test
  void whenOneChunkIsLostTheRestOfItsLeaseIsNotSent() throws Exception {
    RemoteSlots lease = lease(1);
    HostMemory source = HostMemory.of(new Region.Memory("floats", floats(3)));
    CopyEvent first = lease.copyAndChecksumAsync(source, 0, lease.address(0));
    CopyEvent second = lease.copyAndChecksumAsync(source, 0, lease.address(1));
    CopyEvent third = lease.copyAndChecksumAsync(source, 0, lease.address(1));
    for (int piece = 0; piece < 4; piece++) {
      pushes.waiting.take().taken().completeExceptionally(new IOException("no answer came"));
    }
    for (CopyEvent copy : new CopyEvent[] {first, second, third}) {
      assertThatIOException().isThrownBy(copy::await).withMessageContaining("no answer came");
    }
    assertThat(pushes.waiting).isEmpty();
  }

  @Test
  void aChunkGoesThereInPiecesAndComesBackBitForBit() throws Exception {
    RemoteSlots lease = lease(1);
    float[] source = floats(1);
    int bytes = CHUNK - 40;
    CopyEvent copy =
        lease.copyAndChecksumAsync(
            HostMemory.of(new Region.Memory("floats", source)),
            80,
            lease.address(1).slice(0, bytes));
    for (int piece = 0; piece < 3; piece++) {
      assertThat(copy.isDone()).isFalse();
      Pushed push = take();
      assertThat(push.span().bytes()).isLessThanOrEqualTo(PIECE);
      assertThat(push.body().isDirect()).isTrue();
    }
    copy.await();
    ByteBuffer expected = ByteBuffer.allocate(4 * source.length).order(ByteOrder.nativeOrder());
    expected.asFloatBuffer().put(source);
    CRC32C crc = new CRC32C();
    crc.update(expected.array(), 80, bytes);
    assertThat(copy.checksum()).isEqualTo((int) crc.getValue());
    ByteBuffer back = ByteBuffer.allocate(bytes + 5).position(5);
    CopyEvent read = lease.copyToHostAsync(lease.address(1).slice(0, bytes), back);
    read.await();
    assertThat(back.position()).isEqualTo(5);
    assertThat(Arrays.equals(back.array(), 5, bytes + 5, expected.array(), 80, bytes + 80))
        .isTrue();
    assertThatIllegalStateException().isThrownBy(read::checksum);
  }

  /** The pool is bounded, and whoever hangs has at most half of it. */
  @Test
  void aLenderThatHangsDoesNotHoldUpTheOthers() throws Exception {
    RemoteSlots hanging = lease(1);
    RemoteSlots other = lease(2);
    HostMemory source = HostMemory.of(new byte[CHUNK]);
    for (int chunk = 0; chunk < 2; chunk++) {
      hanging.copyAndChecksumAsync(source, 0, hanging.address(chunk));
      hanging.copyAndChecksumAsync(source, 0, hanging.address(chunk));
    }
    Pushed[] held = new Pushed[4];
    for (int i = 0; i < held.length; i++) {
      held[i] = pushes.waiting.take();
      assertThat(held[i].peer().port()).isEqualTo(1);
    }
    CopyEvent through = other.copyAndChecksumAsync(source, 0, other.address(0));
    for (int piece = 0; piece < 3; piece++) {
      assertThat(take().peer().port()).isEqualTo(2);
    }
    through.await();
    assertThat(pushes.waiting).isEmpty();
    held[0].taken().complete(null);
    assertThat(pushes.waiting.take().peer().port()).isEqualTo(1);
  }

  @Test
  void aCopyFailsWithItsPushWhenNothingOfItIsUnderWay() throws Exception {
    RemoteSlots lease = lease(1);
    CopyEvent copy =
        lease.copyAndChecksumAsync(HostMemory.of(new byte[CHUNK]), 0, lease.address(0));
    Pushed first = pushes.waiting.take();
    Pushed second = pushes.waiting.take();
    Pushed third = pushes.waiting.take();
    first.taken().completeExceptionally(new IOException("the slot is gone"));
    second.taken().complete(null);
    assertThat(copy.isDone()).isFalse();
    third.taken().complete(null);
    assertThatIOException()
        .isThrownBy(copy::await)
        .withMessageContaining("lender@there:1")
        .withMessageContaining("the slot is gone");
    assertThatIllegalStateException().isThrownBy(copy::checksum);
    // the buffers are free again
    CopyEvent next =
        lease.copyAndChecksumAsync(HostMemory.of(new byte[CHUNK]), 0, lease.address(0));
    for (int piece = 0; piece < 3; piece++) {
      take();
    }
    next.await();
  }

  @Test
  void closingEndsWhatWaits() throws Exception {
    RemoteSlots lease = lease(1);
    HostMemory source = HostMemory.of(new byte[CHUNK]);
    CopyEvent first = lease.copyAndChecksumAsync(source, 0, lease.address(0));
    CopyEvent second = lease.copyAndChecksumAsync(source, 0, lease.address(1));
    Pushed[] underWay = new Pushed[4];
    for (int i = 0; i < underWay.length; i++) {
      underWay[i] = pushes.waiting.take();
    }
    staging.close();
    for (Pushed push : underWay) {
      push.taken().completeExceptionally(new IOException("this transport is closed"));
    }
    assertThatIOException().isThrownBy(first::await).withMessageContaining("closed");
    assertThatIOException().isThrownBy(second::await).withMessageContaining("closed");
    assertThat(pushes.waiting).isEmpty();
  }

  @Test
  void onlyItsOwnAddressesAreCopiedTo() {
    RemoteSlots lease = lease(1);
    DeviceAddress own = lease.address(1);
    HostMemory source = HostMemory.of(new byte[CHUNK]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> lease.copyAndChecksumAsync(source, 0, lease(1).address(0)));
    for (DeviceAddress beyond :
        new DeviceAddress[] {
          new DeviceAddress(own.device(), 2L * CHUNK, 8),
          new DeviceAddress(own.device(), CHUNK - 8, 16),
          new DeviceAddress(own.device(), 0, 0)
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.copyAndChecksumAsync(source, 0, beyond));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.copyToHostAsync(beyond, ByteBuffer.allocate(16)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> lease.copyToHostAsync(own.slice(0, 8), ByteBuffer.allocate(9)));
  }

  @Test
  void aShortAnswerIsAnError() {
    HolderId lender = new HolderId("1", "lender", new PeerAddress("there", 1));
    RemoteSlots lease =
        new RemoteSlots(
            ID,
            lender,
            2,
            CHUNK,
            staging,
            span ->
                CompletableFuture.completedFuture(
                    new PeerReply.Piece(ByteBuffer.allocate(span.bytes() - 1))),
            Waits.REAL);
    CopyEvent read = lease.copyToHostAsync(lease.address(0).slice(0, 8), ByteBuffer.allocate(8));
    assertThatIOException().isThrownBy(read::await).withMessageContaining("7 bytes came");
  }
}
