package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaseBookTest {
  private static final GroupId GROUP = new GroupId("job", "g");
  private static final LeaseTerms TERMS = new LeaseTerms(100, 3);

  private final LeaseBook book = new LeaseBook(8, TERMS);
  private final LeaseId first = id("a", 1, 1, 10);

  /** The slots that the cache would lend, the lowest first. */
  private final TreeSet<Integer> spare = new TreeSet<>(List.of(0, 1, 2, 3, 4, 5));

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
    List<LeaseAction> actions = book.on(event, nowNanos);
    for (LeaseAction action : actions) {
      if (action instanceof LeaseAction.Return back) {
        spare.addAll(back.slots());
      }
    }
    return actions;
  }

  private List<LeaseAction> acquire(long nowNanos, LeaseId id, int chunks) {
    int offered = book.wouldGrant(id) ? chunks : 0;
    List<Integer> slots = spare.stream().limit(offered).toList();
    slots.forEach(spare::remove);
    return on(nowNanos, new LeaseEvent.Offer(new LeaseRequest.Acquire(id, chunks), slots));
  }

  private static LeaseAction send(LeaseAnswer answer) {
    return new LeaseAction.Send(answer.id().holder(), answer);
  }

  private static LeaseAction granted(LeaseId id, Integer... slots) {
    return send(new LeaseAnswer.Granted(id, List.of(slots), 100));
  }

  private static LeaseAction returned(Integer... slots) {
    return new LeaseAction.Return(List.of(slots));
  }

  /** The lease is granted, filled and verified at once. */
  private void hold(long nowNanos, LeaseId id, int chunks) {
    acquire(nowNanos, id, chunks);
    on(nowNanos, new LeaseRequest.Filled(id, chunks(chunks)));
    on(nowNanos, verified(id, chunks));
  }

  private static LeaseEvent verified(LeaseId id, int chunks) {
    return new LeaseEvent.Verified(id, IntStream.range(0, chunks).boxed().toList(), List.of());
  }

  private static Occupancy filling(int slots) {
    return new Occupancy(slots, 0, 0, 0);
  }

  private static Occupancy heldAndQuarantined(int held, int quarantined) {
    return new Occupancy(0, held, quarantined, 0);
  }

  private static Occupancy heldAndDraining(int held, int draining) {
    return new Occupancy(0, held, 0, draining);
  }

  private static String refusal(List<LeaseAction> actions) {
    return actions.stream()
        .filter(LeaseAction.Send.class::isInstance)
        .map(action -> ((LeaseAction.Send) action).answer())
        .filter(LeaseAnswer.Refused.class::isInstance)
        .map(answer -> ((LeaseAnswer.Refused) answer).reason())
        .findFirst()
        .orElse("granted");
  }

  @Test
  void aLeaseIsGrantedFilledVerifiedAcknowledgedAndReleased() {
    assertThat(acquire(5, first, 2))
        .containsExactly(granted(first, 0, 1), new LeaseAction.WakeAt(105));
    assertThat(book.occupancy()).isEqualTo(filling(2));

    assertThat(on(6, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(
            new LeaseAction.Verify(
                first, List.of(new LeasedChunk(0, chunk(0)), new LeasedChunk(1, chunk(1)))));
    assertThat(on(7, verified(first, 2)))
        .containsExactly(send(new LeaseAnswer.Acknowledged(first, List.of(0, 1))));
    assertThat(book.occupancy()).isEqualTo(heldAndQuarantined(2, 0));

    assertThat(on(500, new LeaseRequest.Release(first)))
        .containsExactly(
            send(new LeaseAnswer.Released(first)), new LeaseAction.Over(first), returned(0, 1));
    assertThat(book.occupancy().lent()).isZero();
  }

  @Test
  void aRepeatedRequestGetsTheSameAnswer() {
    acquire(5, first, 2);
    assertThat(acquire(50, first, 2)).containsExactly(granted(first, 0, 1));

    hold(51, first, 2);
    assertThat(on(52, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(send(new LeaseAnswer.Acknowledged(first, List.of(0, 1))));

    on(53, new LeaseRequest.Release(first));
    assertThat(on(54, new LeaseRequest.Release(first)))
        .containsExactly(send(new LeaseAnswer.Released(first)));
  }

  @Test
  void aRequestAfterItsReleaseIsRefused() {
    on(1, new LeaseRequest.Release(first));

    assertThat(refusal(acquire(2, first, 2))).contains("answered before");
    assertThat(spare).hasSize(6);
  }

  @Test
  void spareSlotsAreGrantedEvenIfTheyAreFewer() {
    assertThat(acquire(1, first, 9)).contains(granted(first, 0, 1, 2, 3, 4, 5));
    assertThat(refusal(acquire(2, id("b", 1, 1, 10), 1))).isEqualTo("no slot is spare");
  }

  @Test
  void offeredSlotsThatNoLeaseTakesReturnAtOnce() {
    LeaseEvent.Offer tooMany =
        new LeaseEvent.Offer(new LeaseRequest.Acquire(first, 1), List.of(3, 4));
    assertThat(on(1, tooMany)).contains(granted(first, 3), returned(4));

    LeaseEvent.Offer repeated =
        new LeaseEvent.Offer(new LeaseRequest.Acquire(first, 1), List.of(5));
    assertThat(on(2, repeated)).containsExactly(granted(first, 3), returned(5));

    LeaseEvent.Offer ofADeadProcess =
        new LeaseEvent.Offer(new LeaseRequest.Acquire(id("b", 1, 1, 10), 1), List.of(5));
    on(3, new LeaseEvent.BorrowerDead("b"));
    assertThat(on(4, ofADeadProcess)).contains(returned(5));
  }

  @Test
  void expiryEndsThePromiseAndNotTheRightToWrite() {
    acquire(0, first, 2);
    assertThat(on(100, new LeaseEvent.Clock())).isEmpty();
    assertThat(book.occupancy()).isEqualTo(heldAndQuarantined(0, 2));
    assertThat(on(101, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(
            send(new LeaseAnswer.Rejected(first, List.of(0, 1), "the time to fill it is over")));

    assertThat(on(103, new LeaseEvent.BorrowerDead("a")))
        .containsExactly(new LeaseAction.Over(first), returned(0, 1));
  }

  @Test
  void aLeaseWithoutExpiryStaysUntilItsSlotsAreTakenBackAndReleased() {
    LeaseBook lasting = new LeaseBook(8, new LeaseTerms(LeaseTerms.NO_EXPIRY, 1));
    LeaseRequest.Acquire request = new LeaseRequest.Acquire(first, 2);
    assertThat(lasting.on(new LeaseEvent.Offer(request, List.of(0, 1)), 5))
        .containsExactly(send(new LeaseAnswer.Granted(first, List.of(0, 1), LeaseTerms.NO_EXPIRY)));
    assertThat(lasting.on(new LeaseEvent.Clock(), Long.MAX_VALUE - 1)).isEmpty();
    assertThat(lasting.occupancy()).isEqualTo(filling(2));

    lasting.on(new LeaseEvent.TakeBack(2, Long.MAX_VALUE), Long.MAX_VALUE - 1);

    assertThat(lasting.occupancy()).isEqualTo(heldAndQuarantined(0, 2));
    assertThat(lasting.wouldGrant(id("b", 1, 1, 10))).isFalse();
    assertThat(lasting.on(new LeaseRequest.Release(first), Long.MAX_VALUE - 1))
        .contains(returned(0, 1));
    assertThat(lasting.wouldGrant(id("b", 1, 1, 10))).isTrue();
  }

  @Test
  void aBorrowerThatIsGreetedAfterASilenceIsGrantedNewLeasesAlone() {
    hold(0, first, 2);
    on(1, new LeaseEvent.BorrowerDead("a"));
    assertThat(refusal(acquire(2, id("a", 2, 1, 11), 1))).contains("dead");

    on(3, new LeaseEvent.BorrowerGreeted("a"));
    LeaseId fresh = id("a", 3, 1, 11);

    assertThat(acquire(4, fresh, 1)).contains(granted(fresh, 0));
    assertThat(refusal(acquire(5, first, 2))).contains("answered before");
    assertThat(refusal(acquire(6, id("a", 4, 1, 10), 2))).contains("later iteration");
    assertThat(on(7, new LeaseRequest.Filled(first, chunks(2))))
        .containsExactly(
            send(new LeaseAnswer.Rejected(first, List.of(0, 1), "there is no such lease")));
  }

  @Test
  void aCheckpointThatASilenceWithdrewIsNotLeasedForAgain() {
    hold(0, first, 2);
    on(1, new LeaseEvent.BorrowerDead("a"));
    on(2, new LeaseEvent.BorrowerGreeted("a"));

    assertThat(refusal(acquire(3, id("a", 2, 1, 10), 1))).contains("withdrawn");
  }

  /** Without authentication anybody may send one. */
  @Test
  void aClaimOfAnEpochThatNoGroupReachesEndsNobody() {
    acquire(0, first, 2);

    assertThat(refusal(acquire(1, id("z", 1, CheckpointId.MAX_EPOCH, 1), 1)))
        .contains("no group begins so many epochs");
    assertThat(refusal(acquire(2, id("a", 2, CheckpointId.MAX_EPOCH, 99), 1)))
        .contains("no group begins so many epochs");
    on(3, new LeaseRequest.Release(id("a", 9, CheckpointId.MAX_EPOCH, 99)));

    assertThat(on(4, new LeaseRequest.Filled(first, chunks(2)))).hasSize(1);
    LeaseId next = id("a", 2, 1, 11);
    assertThat(acquire(5, next, 1)).contains(granted(next, 2));
  }

  /** A lender that asks first evicts nothing for a request that is refused. */
  @Test
  void theBookKnowsBeforehandWhetherItWouldGrant() {
    LeaseId other = id("b", 1, 1, 10);
    assertThat(book.wouldGrant(other)).isTrue();

    acquire(0, first, 6);
    assertThat(book.wouldGrant(first)).as("granted already").isFalse();
    assertThat(book.wouldGrant(other)).as("room is not asked for").isTrue();

    on(1, new LeaseEvent.TakeBack(2, 50));
    assertThat(book.wouldGrant(other)).as("the trainer waits").isFalse();

    on(2, new LeaseRequest.Release(first));
    assertThat(book.wouldGrant(other)).isTrue();

    on(3, new LeaseEvent.BorrowerDead("b"));
    assertThat(book.wouldGrant(other)).as("its process is dead").isFalse();
  }

  /** Each checkpoint that misses slots wants them again, while the first are still being moved. */
  @Test
  void takingBackAgainTakesNoMoreThanIsMissing() {
    hold(0, first, 6);
    on(2, new LeaseEvent.TakeBack(2, 50));
    on(3, new LeaseEvent.TakeBack(2, 50));
    on(4, new LeaseEvent.TakeBack(3, 50));

    on(100, new LeaseEvent.Clock());

    assertThat(book.occupancy()).isEqualTo(heldAndDraining(3, 3));
  }

  @Test
  void aFullQuarantineGrantsNothingMore() {
    acquire(0, first, 3);
    assertThat(refusal(acquire(200, id("b", 1, 1, 10), 1))).contains("the quarantine is full");

    on(201, new LeaseRequest.Release(first));
    assertThat(refusal(acquire(202, id("b", 2, 1, 10), 1))).isEqualTo("granted");
  }

  @Test
  void aDamagedChunkWaitsForItsRelease() {
    acquire(0, first, 2);
    on(1, new LeaseRequest.Filled(first, chunks(2)));

    assertThat(on(2, new LeaseEvent.Verified(first, List.of(0), List.of(1))))
        .containsExactly(
            send(new LeaseAnswer.Acknowledged(first, List.of(0))),
            send(new LeaseAnswer.Rejected(first, List.of(1), "the checksum differs")));
    assertThat(book.occupancy()).isEqualTo(heldAndQuarantined(1, 1));
  }

  @Test
  void aLaterEpochFencesWhatIsNotAcknowledgedAndKeepsWhatIs() {
    hold(0, first, 1);
    LeaseId writing = id("a", 2, 1, 11);
    acquire(1, writing, 1);
    LeaseId verifying = id("a", 3, 1, 12);
    acquire(2, verifying, 1);
    on(3, new LeaseRequest.Filled(verifying, chunks(1)));

    LeaseId ofTheNext = id("c", 1, 2, 3);
    acquire(4, ofTheNext, 1);

    assertThat(book.occupancy()).isEqualTo(new Occupancy(1, 1, 2, 0));
    // its borrower waits for an answer, with the checkpoint pinned
    assertThat(on(5, verified(verifying, 1)))
        .containsExactly(
            send(new LeaseAnswer.Rejected(verifying, List.of(0), "the group is in epoch 2")));
    assertThat(refusal(acquire(6, writing, 1))).contains("epoch 1 is over");
    assertThat(refusal(acquire(7, id("z", 1, 1, 13), 1))).contains("epoch 1 is over");
    assertThat(book.occupancy().held()).isEqualTo(1);
  }

  @Test
  void aDeadBorrowersSlotsReturnAndItsCheckpointIsWithdrawn() {
    hold(0, first, 2);
    acquire(1, id("a", 2, 1, 11), 1);

    String dead = "its borrower's process is dead";
    assertThat(on(2, new LeaseEvent.BorrowerDead("a")))
        .contains(
            send(new LeaseAnswer.Revoked(first, List.of(0, 1), dead)),
            new LeaseAction.Withdraw(first.checkpoint(), 0, dead),
            new LeaseAction.Over(first),
            returned(0, 1, 2));

    assertThat(book.occupancy().lent()).isZero();
    assertThat(refusal(acquire(3, id("a", 3, 1, 12), 1))).isEqualTo("its process is dead");
  }

  @Test
  void aDeadBorrowersCheckpointIsNotWithdrawnIfItIsAtNode() {
    hold(0, first, 2);
    on(1, new LeaseEvent.Flushed(first, List.of(0, 1)));

    assertThat(on(2, new LeaseEvent.BorrowerDead("a")))
        .containsExactly(new LeaseAction.Over(first), returned(0, 1));
  }

  @Test
  void aSlotReturnsOnlyAfterItsVerification() {
    acquire(0, first, 1);
    on(1, new LeaseRequest.Filled(first, chunks(1)));

    on(2, new LeaseEvent.BorrowerDead("a"));

    assertThat(book.occupancy()).isEqualTo(heldAndDraining(0, 1));
    assertThat(on(3, verified(first, 1))).containsExactly(new LeaseAction.Over(first), returned(0));
  }

  @Test
  void aSlotReturnsOnlyAfterItsReaders() {
    hold(0, first, 1);
    assertThat(on(1, new LeaseEvent.Pin(first)))
        .containsExactly(new LeaseAction.Read(first, List.of(new LeasedChunk(0, chunk(0)))));

    assertThat(on(2, new LeaseRequest.Release(first)))
        .containsExactly(send(new LeaseAnswer.Released(first)));
    assertThat(refusal(acquire(3, first, 1))).contains("answered before");

    assertThat(on(4, new LeaseEvent.Unpin(first)))
        .containsExactly(new LeaseAction.Over(first), returned(0));
    assertThat(on(5, new LeaseEvent.Pin(first)))
        .containsExactly(new LeaseAction.Read(first, List.of()));
    assertThatThrownBy(() -> on(6, new LeaseEvent.Unpin(first)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(first.toString());
  }

  @Test
  void theTrainerGetsFlushedSlotsAtOnceAndMovedOnesWithTheirRelease() {
    hold(0, first, 2);
    LeaseId later = id("b", 1, 1, 20);
    hold(1, later, 2);
    on(2, new LeaseEvent.Flushed(later, List.of(1)));

    assertThat(on(3, new LeaseEvent.TakeBack(2, 50)))
        .containsExactly(
            new LeaseAction.MoveOrDrop(first, List.of(new LeasedChunk(0, chunk(0))), 50),
            returned(3),
            new LeaseAction.WakeAt(50));
    assertThat(refusal(acquire(4, id("c", 1, 1, 21), 1))).contains("the trainer waits for 1 slots");

    assertThat(on(5, new LeaseEvent.Moved(first, List.of()))).isEmpty();
    assertThat(on(6, new LeaseRequest.Release(first)))
        .containsExactly(
            send(new LeaseAnswer.Released(first)), new LeaseAction.Over(first), returned(0, 1));
    assertThat(book.occupancy()).isEqualTo(heldAndQuarantined(1, 0));
    assertThat(on(7, new LeaseEvent.Pin(later)))
        .containsExactly(new LeaseAction.Read(later, List.of(new LeasedChunk(2, chunk(0)))));
  }

  @Test
  void aChunkThatIsNotMovedInTimeWithdrawsItsCheckpointForGood() {
    hold(0, first, 1);
    on(1, new LeaseEvent.TakeBack(6, 50));

    assertThat(on(50, new LeaseEvent.Clock()))
        .containsExactly(
            send(new LeaseAnswer.Revoked(first, List.of(0), "it was not moved in time")),
            new LeaseAction.Withdraw(first.checkpoint(), 0, "it was not moved in time"));
    assertThat(on(60, new LeaseEvent.Moved(first, List.of())))
        .containsExactly(new LeaseAction.Over(first), returned(0));

    assertThat(refusal(acquire(62, id("a", 2, 1, 10), 1))).contains("withdrawn");
    assertThat(refusal(acquire(63, id("a", 3, 1, 11), 1))).isEqualTo("granted");
  }

  @Test
  void aSlotThatIsBeingWrittenReturnsOnlyWithItsRelease() {
    acquire(0, first, 6);

    assertThat(on(1, new LeaseEvent.TakeBack(2, 1)))
        .containsExactly(
            send(
                new LeaseAnswer.Revoked(
                    first, List.of(0, 1, 2, 3, 4, 5), "the trainer takes its memory back")));

    assertThat(on(2, new LeaseRequest.Release(first))).contains(returned(0, 1, 2, 3, 4, 5));
    assertThat(book.occupancy().lent()).isZero();
  }

  @Test
  void onlyTheCachesOwnSlotsCanBeLent() {
    acquire(0, id("b", 1, 1, 10), 6);

    for (List<Integer> wrong : List.of(List.of(5), List.of(8), List.of(6, 6))) {
      LeaseEvent.Offer offer = new LeaseEvent.Offer(new LeaseRequest.Acquire(first, 1), wrong);
      assertThatThrownBy(() -> on(1, offer))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be lent");
    }

    assertThat(book.occupancy().lent()).isEqualTo(6);
  }

  /** Slots that only wait for their readers are not asked for twice. */
  @Test
  void noMoreIsRevokedThanIsMissing() {
    hold(0, first, 2);
    hold(1, id("b", 1, 1, 20), 2);
    on(2, new LeaseEvent.Pin(first));
    on(3, new LeaseRequest.Release(first));

    assertThat(on(4, new LeaseEvent.TakeBack(2, 50))).isEmpty();

    assertThat(on(5, new LeaseEvent.Unpin(first))).contains(returned(0, 1));
    assertThat(book.occupancy()).isEqualTo(heldAndQuarantined(2, 0));
  }
}
