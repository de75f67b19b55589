package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseBookTest {
  private static final GroupId GROUP = new GroupId("job", "g");
  private static final LeaseTerms TERMS = new LeaseTerms(100, 3);

  private final LeaseBook book = new LeaseBook(8, TERMS);
  private final LeaseId first = id("a", 1, 1, 10);

  @BeforeEach
  void lendSix() {
    on(0, new LeaseEvent.Lend(List.of(0, 1, 2, 3, 4, 5)));
  }

  private static LeaseId id(String holder, long nonce, long epoch, long iteration) {
    return new LeaseId(holder, nonce, new CheckpointId(GROUP, epoch, iteration), 0);
  }

  private static FilledChunk chunk(int position) {
    return new FilledChunk(position, 7 + position, 4096, 99 + position);
  }

  private static List<FilledChunk> chunks(int count) {
    return IntStream.range(0, count).mapToObj(LeaseBookTest::chunk).toList();
  }

  private List<LeaseAction> on(long nowNanos, LeaseEvent event) {
    return book.on(event, nowNanos);
  }

  private List<LeaseAction> claim(long nowNanos, LeaseId id, int chunks) {
    return on(nowNanos, new LeaseRequest.Claim(id, chunks));
  }

  private static LeaseAction tell(LeaseAnswer answer) {
    return new LeaseAction.Tell(answer.id().holder(), answer);
  }

  private static LeaseAction granted(LeaseId id, Integer... slots) {
    return tell(new LeaseAnswer.Granted(id, List.of(slots), 100));
  }

  /** The lease is granted, filled and verified at once. */
  private void hold(long nowNanos, LeaseId id, int chunks) {
    claim(nowNanos, id, chunks);
    on(nowNanos, new LeaseRequest.Filled(id, chunks(chunks)));
    on(nowNanos, verified(id, chunks));
  }

  private static LeaseEvent verified(LeaseId id, int chunks) {
    return new LeaseEvent.Verified(id, IntStream.range(0, chunks).boxed().toList(), List.of());
  }

  private static String refusal(List<LeaseAction> actions) {
    return actions.stream()
        .filter(LeaseAction.Tell.class::isInstance)
        .map(action -> ((LeaseAction.Tell) action).answer())
        .filter(LeaseAnswer.Refused.class::isInstance)
        .map(answer -> ((LeaseAnswer.Refused) answer).reason())
        .findFirst()
        .orElse("granted");
  }

  @Test
  void aClaimIsFilledVerifiedAcknowledgedAndReleased() {
    assertThat(claim(5, first, 2))
        .containsExactly(granted(first, 0, 1), new LeaseAction.WakeAt(105));
    assertThat(on(6, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(
            new LeaseAction.Verify(
                first, List.of(new HeldChunk(0, chunk(0)), new HeldChunk(1, chunk(1)))));
    assertThat(on(7, verified(first, 2)))
        .containsExactly(tell(new LeaseAnswer.Acknowledged(first, List.of(0, 1))));
    assertThat(book.occupancy()).isEqualTo(new Occupancy(4, 0, 2, 0, 0));
    assertThat(on(500, new LeaseRequest.Release(first)))
        .containsExactly(
            tell(new LeaseAnswer.Released(first)),
            new LeaseAction.Free(List.of(0, 1)),
            new LeaseAction.Over(first));
  }

  @Test
  void whatIsRepeatedIsAnsweredTheSame() {
    claim(5, first, 2);
    assertThat(claim(50, first, 2)).containsExactly(granted(first, 0, 1));
    hold(51, first, 2);
    assertThat(on(52, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(tell(new LeaseAnswer.Acknowledged(first, List.of(0, 1))));
    on(53, new LeaseRequest.Release(first));
    assertThat(on(54, new LeaseRequest.Release(first)))
        .containsExactly(tell(new LeaseAnswer.Released(first)));
  }

  @Test
  void aClaimThatComesAfterItsReleaseIsLate() {
    on(1, new LeaseRequest.Release(first));
    assertThat(refusal(claim(2, first, 2))).contains("answered before");
    assertThat(book.occupancy().open()).isEqualTo(6);
  }

  @Test
  void whatIsThereIsGrantedAndNothingWhenNothingIs() {
    assertThat(claim(1, first, 9)).contains(granted(first, 0, 1, 2, 3, 4, 5));
    assertThat(refusal(claim(2, id("b", 1, 1, 10), 1))).isEqualTo("no slot is open");
  }

  @Test
  void expiryEndsThePromiseAndNotTheMapping() {
    claim(0, first, 2);
    assertThat(on(100, new LeaseEvent.Clock())).isEmpty();
    assertThat(book.occupancy()).isEqualTo(new Occupancy(4, 0, 0, 2, 0));
    assertThat(on(101, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(
            tell(new LeaseAnswer.Rejected(first, List.of(0, 1), "the time to fill it is over")));
    assertThat(on(102, new LeaseRequest.ReleaseSome(first, List.of(1))))
        .contains(new LeaseAction.Free(List.of(1)));
    assertThat(on(103, new LeaseEvent.SenderDead("a")))
        .containsExactly(new LeaseAction.Free(List.of(0)), new LeaseAction.Over(first));
  }

  /** A receiver that asks first evicts nothing for what is refused. */
  @Test
  void whatWouldBeGrantedIsKnownBeforeItIsClaimed() {
    LeaseId other = id("b", 1, 1, 10);
    assertThat(book.wouldGrant(other)).isTrue();
    claim(0, first, 6);
    assertThat(book.wouldGrant(first)).as("granted already").isFalse();
    assertThat(book.wouldGrant(other)).as("room is not asked for").isTrue();
    on(1, new LeaseEvent.TakeBack(2, 50));
    assertThat(book.wouldGrant(other)).as("the trainer waits").isFalse();
    on(2, new LeaseRequest.Release(first));
    assertThat(book.wouldGrant(other)).isTrue();
    on(3, new LeaseEvent.SenderDead("b"));
    assertThat(book.wouldGrant(other)).as("its process is dead").isFalse();
  }

  /** Each checkpoint that misses slots says so again, while the first are still being moved. */
  @Test
  void takingBackAgainTakesNoMoreThanIsMissing() {
    claim(0, first, 6);
    hold(1, first, 6);
    on(2, new LeaseEvent.TakeBack(2, 50));
    on(3, new LeaseEvent.TakeBack(2, 50));
    on(4, new LeaseEvent.TakeBack(3, 50));
    on(100, new LeaseEvent.Clock());
    assertThat(book.occupancy()).isEqualTo(new Occupancy(0, 0, 3, 0, 3));
  }

  @Test
  void aFullQuarantineGrantsNothingMore() {
    claim(0, first, 3);
    assertThat(refusal(claim(200, id("b", 1, 1, 10), 1))).contains("the quarantine is full");
    on(201, new LeaseRequest.Release(first));
    assertThat(refusal(claim(202, id("b", 2, 1, 10), 1))).isEqualTo("granted");
  }

  @Test
  void aDamagedChunkWaitsForItsRelease() {
    claim(0, first, 2);
    on(1, new LeaseRequest.Filled(first, chunks(2)));
    assertThat(on(2, new LeaseEvent.Verified(first, List.of(0), List.of(1))))
        .containsExactly(
            tell(new LeaseAnswer.Acknowledged(first, List.of(0))),
            tell(new LeaseAnswer.Rejected(first, List.of(1), "the checksum differs")));
    assertThat(book.occupancy()).isEqualTo(new Occupancy(4, 0, 1, 1, 0));
  }

  @Test
  void aLaterEpochFencesWhatIsNotAcknowledgedAndKeepsWhatIs() {
    hold(0, first, 1);
    LeaseId writing = id("a", 2, 1, 11);
    claim(1, writing, 1);
    LeaseId verifying = id("a", 3, 1, 12);
    claim(2, verifying, 1);
    on(3, new LeaseRequest.Filled(verifying, chunks(1)));
    on(4, new LeaseEvent.EpochBegun(GROUP, 2));
    assertThat(book.occupancy()).isEqualTo(new Occupancy(3, 0, 1, 2, 0));
    // its sender waits for a word, with the checkpoint pinned
    assertThat(on(5, verified(verifying, 1)))
        .containsExactly(
            tell(new LeaseAnswer.Rejected(verifying, List.of(0), "the group is in epoch 2")));
    assertThat(refusal(claim(6, writing, 1))).contains("epoch 1 is over");
    assertThat(refusal(claim(7, id("z", 1, 1, 13), 1))).contains("epoch 1 is over");
    assertThat(book.holdings()).extracting(Holding::id).containsExactly(first);
  }

  @Test
  void aDeadSendersHeldChunksStayUntilTheyAreDropped() {
    hold(0, first, 2);
    claim(1, id("a", 2, 1, 11), 1);
    assertThat(on(2, new LeaseEvent.SenderDead("a"))).contains(new LeaseAction.Free(List.of(2)));
    assertThat(book.holdings())
        .containsExactly(
            new Holding(
                first,
                true,
                List.of(new HeldChunk(0, chunk(0)), new HeldChunk(1, chunk(1))),
                List.of()));
    assertThat(refusal(claim(3, id("a", 3, 1, 12), 1))).isEqualTo("its process is dead");
    on(4, new LeaseEvent.Flushed(first, List.of(0, 1)));
    assertThat(on(5, new LeaseEvent.Drop(first)))
        .containsExactly(new LeaseAction.Free(List.of(0, 1)), new LeaseAction.Over(first));
  }

  @Test
  void theVerifierIsWaitedForWhenTheSenderReleasesOrDies() {
    claim(0, first, 1);
    on(1, new LeaseRequest.Filled(first, chunks(1)));
    on(2, new LeaseEvent.SenderDead("a"));
    assertThat(book.occupancy()).isEqualTo(new Occupancy(5, 0, 0, 0, 1));
    assertThat(on(3, verified(first, 1)))
        .containsExactly(new LeaseAction.Free(List.of(0)), new LeaseAction.Over(first));
  }

  @Test
  void aReaderIsWaitedForToo() {
    hold(0, first, 1);
    assertThat(on(1, new LeaseEvent.Pin(first)))
        .containsExactly(new LeaseAction.Read(first, List.of(new HeldChunk(0, chunk(0)))));
    assertThat(on(2, new LeaseRequest.Release(first)))
        .containsExactly(tell(new LeaseAnswer.Released(first)));
    assertThat(refusal(claim(3, first, 1))).contains("answered before");
    assertThat(on(4, new LeaseEvent.Unpin(first)))
        .containsExactly(new LeaseAction.Free(List.of(0)), new LeaseAction.Over(first));
    assertThat(on(5, new LeaseEvent.Pin(first)))
        .containsExactly(new LeaseAction.Read(first, List.of()));
    assertThatThrownBy(() -> on(6, new LeaseEvent.Unpin(first)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(first.toString());
  }

  @Test
  void theTrainerGetsOpenSlotsAtOnceThenWhatIsFlushedThenWhatIsMoved() {
    hold(0, first, 2);
    LeaseId later = id("b", 1, 1, 20);
    hold(1, later, 2);
    on(2, new LeaseEvent.Flushed(later, List.of(1)));
    assertThat(on(3, new LeaseEvent.TakeBack(4, 50)))
        .containsExactly(
            new LeaseAction.MoveOrDrop(first, List.of(new HeldChunk(0, chunk(0))), 50),
            new LeaseAction.Free(List.of(3)),
            new LeaseAction.Return(List.of(4, 5, 3)),
            new LeaseAction.WakeAt(50));
    assertThat(refusal(claim(4, id("c", 1, 1, 21), 1))).contains("the trainer waits for 1 slots");
    assertThat(on(5, new LeaseEvent.Moved(first, List.of(0), List.of())))
        .containsExactly(new LeaseAction.Free(List.of(0)), new LeaseAction.Return(List.of(0)));
    assertThat(book.holdings())
        .containsExactly(
            new Holding(first, false, List.of(new HeldChunk(1, chunk(1))), List.of(chunk(0))),
            new Holding(later, false, List.of(new HeldChunk(2, chunk(0))), List.of(chunk(1))));
    assertThat(book.occupancy().lent()).isEqualTo(2);
  }

  @Test
  void whatIsNotMovedInTimeWithdrawsItsCheckpointAndIsNeverGrantedAgain() {
    hold(0, first, 1);
    on(1, new LeaseEvent.TakeBack(6, 50));
    assertThat(on(50, new LeaseEvent.Clock()))
        .containsExactly(
            tell(new LeaseAnswer.Revoked(first, List.of(0), "it was not moved in time")),
            new LeaseAction.Withdraw(first.checkpoint(), 0, "it was not moved in time"));
    assertThat(on(60, new LeaseEvent.Moved(first, List.of(0), List.of())))
        .containsExactly(
            new LeaseAction.Free(List.of(0)),
            new LeaseAction.Over(first),
            new LeaseAction.Return(List.of(0)));
    on(61, new LeaseEvent.Lend(List.of(0, 1, 2)));
    assertThat(refusal(claim(62, id("a", 2, 1, 10), 1))).contains("withdrawn");
    assertThat(refusal(claim(63, id("a", 3, 1, 11), 1))).isEqualTo("granted");
  }

  @Test
  void whatIsBeingWrittenComesBackOnlyWithItsRelease() {
    claim(0, first, 6);
    assertThat(on(1, new LeaseEvent.TakeBack(2, 1)))
        .containsExactly(
            tell(
                new LeaseAnswer.Revoked(
                    first, List.of(0, 1, 2, 3, 4, 5), "the trainer takes its memory back")));
    assertThat(on(2, new LeaseRequest.Release(first)))
        .contains(new LeaseAction.Return(List.of(0, 1)));
    assertThat(book.occupancy().open()).isEqualTo(4);
  }

  @Test
  void onlyTheCachesOwnSlotsCanBeLent() {
    for (List<Integer> wrong : List.of(List.of(5), List.of(8), List.of(6, 6))) {
      assertThatThrownBy(() -> on(1, new LeaseEvent.Lend(wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be lent");
    }
    assertThat(book.occupancy().lent()).isEqualTo(6);
  }

  @Test
  void aCacheThatLendsWantsNothingBackAnyMore() {
    claim(0, first, 6);
    on(1, new LeaseEvent.TakeBack(6, 50));
    on(2, new LeaseEvent.Lend(List.of(6, 7)));
    assertThat(on(3, new LeaseRequest.Release(first)))
        .containsExactly(
            tell(new LeaseAnswer.Released(first)),
            new LeaseAction.Free(List.of(0, 1, 2, 3, 4, 5)),
            new LeaseAction.Over(first));
    assertThat(book.occupancy().open()).isEqualTo(8);
  }

  /** Slots that only wait for their readers are not asked for twice. */
  @Test
  void noMoreIsRevokedThanIsMissing() {
    hold(0, first, 2);
    hold(1, id("b", 1, 1, 20), 2);
    on(2, new LeaseEvent.Pin(first));
    on(3, new LeaseRequest.Release(first));
    assertThat(on(4, new LeaseEvent.TakeBack(4, 50)))
        .containsExactly(new LeaseAction.Return(List.of(4, 5)));
    assertThat(on(5, new LeaseEvent.Unpin(first))).contains(new LeaseAction.Return(List.of(0, 1)));
    assertThat(book.occupancy()).isEqualTo(new Occupancy(0, 0, 2, 0, 0));
  }
}
