package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerException;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lender whose borrowers are on another machine, well-behaved or not. */
@Timeout(60)
class RemoteBorrowerTest {
  private static final int CHUNK = 4096;
  private static final int SLOTS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Twenty greetings without an answer. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private static final Duration ROUND = Duration.ofMillis(50);

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private SharedMemoryDevice device;
  private ChunkCache cache;
  private Sharing sharing;
  private RawBorrower borrower;

  @BeforeEach
  void open() throws IOException {
    device = SharedMemoryDevice.open(root, root, SLOTS * CHUNK);
    cache = new ChunkCache(device, SLOTS * CHUNK, CHUNK);
    share(PATIENCE);
  }

  private void share(Duration fill) throws IOException {
    sharing =
        new Sharing(
            new SharingTerms(PATIENCE, fill, PATIENCE, 100, SILENCE, ROUND, ROUND),
            "lender",
            cache,
            device,
            "here",
            0,
            network.nobody(),
            service -> network.open(service, PATIENCE),
            SharingThreads.ofJvm(System::nanoTime));
    borrower = new RawBorrower(network, HolderId.parse(sharing.holder()).address(), CHUNK);
  }

  private void unshare() {
    borrower.transport.close();
    sharing.close();
  }

  @AfterEach
  void close() {
    unshare();
    cache.close();
    device.close();
  }

  private static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private LeaseId claim(long nonce, int chunks) {
    LeaseId id = borrower.lease(nonce);
    assertThat(borrower.ask(new LeaseRequest.Acquire(id, chunks)))
        .isInstanceOfSatisfying(
            LeaseAnswer.Granted.class, granted -> assertThat(granted.slots()).hasSize(chunks));
    return id;
  }

  private LeaseAnswer fill(LeaseId id, int position, byte[] bytes) {
    FilledChunk chunk =
        new FilledChunk(position, position, bytes.length, RawBorrower.checksum(bytes));
    return borrower.ask(new LeaseRequest.Filled(id, List.of(chunk)));
  }

  private byte[] read(ChunkSpan span) {
    byte[] reply = borrower.ask(new PeerRequest.Read(span)).toCompletableFuture().join();
    ByteBuffer piece = Wire.decode(reply, PeerReply.Piece.class).bytes();
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    return bytes;
  }

  private static void assertRefused(CompletionStage<?> call, String why) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> call.toCompletableFuture().join())
        .withMessageContaining(why)
        .havingCause()
        .isInstanceOfSatisfying(
            PeerException.class,
            failure -> assertThat(failure.reason()).isEqualTo(PeerException.Reason.REFUSED));
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Slots go home just after the answer that lets them. */
  private void untilAllIsHome() {
    until(() -> cache.freeSlots() == SLOTS);
  }

  private int quarantined() {
    return sharing.lent().toCompletableFuture().join().quarantined();
  }

  /** The last report of a process asks. */
  @Test
  void afterTheEndTheUseIsUnknownAndNothingIsThrown() throws IOException {
    unshare();
    assertThat(sharing.lent()).isCompletedExceptionally();
    share(PATIENCE);
  }

  @Test
  void whatIsPushedAndFilledIsHeldAndReadPieceByPiece() {
    LeaseId id = claim(1, 2);
    byte[] chunk = bytes(1, CHUNK - 5);
    borrower.push(id, 1, chunk).toCompletableFuture().join();
    // what is not verified yet is held by nobody
    assertRefused(borrower.ask(new PeerRequest.Read(new ChunkSpan(id, 1, 0, 8))), "are not held");
    assertThat(fill(id, 1, chunk)).isInstanceOf(LeaseAnswer.Acknowledged.class);
    assertThat(read(new ChunkSpan(id, 1, 0, CHUNK - 5))).isEqualTo(chunk);
    assertThat(read(new ChunkSpan(id, 1, 100, 17))).isEqualTo(Arrays.copyOfRange(chunk, 100, 117));
    for (ChunkSpan bad :
        List.of(
            new ChunkSpan(id, 1, 0, CHUNK), // the slot holds another's bytes behind the chunk
            new ChunkSpan(id, 1, CHUNK, 1),
            new ChunkSpan(id, 0, 0, 8),
            new ChunkSpan(id, 7, 0, 8),
            new ChunkSpan(borrower.lease(2), 1, 0, 8))) {
      assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> read(bad));
    }
  }

  @Test
  void aChunkWithAnotherChecksumIsNotHeld() {
    LeaseId id = claim(1, 1);
    borrower.push(id, 0, bytes(2, CHUNK)).toCompletableFuture().join();
    assertThat(fill(id, 0, bytes(3, CHUNK))).isInstanceOf(LeaseAnswer.Rejected.class);
  }

  @Test
  void nothingIsPushedOverWhatIsHeldOrReleased() {
    LeaseId first = claim(1, 1);
    byte[] held = bytes(4, CHUNK);
    borrower.push(first, 0, held).toCompletableFuture().join();
    assertThat(fill(first, 0, held)).isInstanceOf(LeaseAnswer.Acknowledged.class);
    assertRefused(borrower.push(first, 0, bytes(5, CHUNK)), "filled or released");
    assertThat(read(new ChunkSpan(first, 0, 0, CHUNK))).isEqualTo(held);
    assertThat(borrower.ask(new LeaseRequest.Release(first)))
        .isInstanceOf(LeaseAnswer.Released.class);
    assertRefused(borrower.push(first, 0, bytes(6, CHUNK)), "may not be written");
    untilAllIsHome();
  }

  /** Its slot is nobody else's, so a late chunk does no harm; but no promise is left. */
  @Test
  void bytesLandInAQuarantinedSlotUntilItIsReleased() throws Exception {
    unshare();
    share(Duration.ofMillis(50));
    LeaseId id = claim(1, 1);
    until(() -> quarantined() == 1);
    byte[] late = bytes(7, CHUNK);
    borrower.push(id, 0, late).toCompletableFuture().join();
    assertThat(fill(id, 0, late)).isInstanceOf(LeaseAnswer.Rejected.class);
    assertThat(cache.lentSlots().count()).isEqualTo(1);
    assertThat(borrower.ask(new LeaseRequest.Release(id))).isInstanceOf(LeaseAnswer.Released.class);
    untilAllIsHome();
  }

  @Test
  void whoDoesNotGreetIsGrantedNothing() {
    borrower.pause();
    CompletionStage<byte[]> claim =
        borrower.ask(new PeerRequest.Lease(new LeaseRequest.Acquire(borrower.lease(1), 1)));
    // later questions are answered, so the claim has been seen
    assertThat(borrower.ask(new LeaseRequest.Release(borrower.lease(2))))
        .isInstanceOf(LeaseAnswer.Released.class);
    assertThat(claim.toCompletableFuture()).isNotDone();
    assertThat(cache.lentSlots().count()).isZero();
  }

  @Test
  void slotsOfAKilledBorrowerReturn() {
    LeaseId id = claim(1, 3);
    byte[] chunk = bytes(8, CHUNK);
    borrower.push(id, 0, chunk).toCompletableFuture().join();
    fill(id, 0, chunk);
    network.kill(borrower.transport.address());
    untilAllIsHome();
  }

  /** It was stopped for so long that its slots are others' by now. */
  @Test
  void aZombieWritesNothingUnderItsOldLease() {
    LeaseId id = claim(1, 2);
    borrower.push(id, 0, bytes(9, CHUNK)).toCompletableFuture().join();
    borrower.pause();
    untilAllIsHome();
    borrower.wake();
    assertRefused(borrower.push(id, 0, bytes(10, CHUNK)), "declared dead");
    assertRefused(borrower.push(id, 1, bytes(10, CHUNK)), "declared dead");
    assertThat(fill(id, 0, bytes(9, CHUNK))).isInstanceOf(LeaseAnswer.Rejected.class);
    untilAllIsHome();
  }

  @Test
  void aSilentBorrowerThatAnswersAFreshGreetingIsGrantedANewLeaseAndNotItsOldOne() {
    LeaseId old = claim(1, 2);
    borrower.pause();
    untilAllIsHome();

    borrower.wake();
    LeaseId fresh = claim(2, 1);

    byte[] chunk = bytes(11, CHUNK);
    borrower.push(fresh, 0, chunk).toCompletableFuture().join();
    assertThat(fill(fresh, 0, chunk)).isInstanceOf(LeaseAnswer.Acknowledged.class);
    assertRefused(borrower.push(old, 0, chunk), "declared dead");
    assertThat(fill(old, 0, chunk)).isInstanceOf(LeaseAnswer.Rejected.class);
    assertThat(borrower.ask(new LeaseRequest.Acquire(old, 2)))
        .isInstanceOf(LeaseAnswer.Refused.class);
  }

  /** A process that took a dead one's address does not keep it alive. */
  @Test
  void anotherProcessAtItsAddressIsNotTheBorrower() {
    claim(1, 2);
    borrower.becomeAnother();
    untilAllIsHome();
  }
}
