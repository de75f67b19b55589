package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two ranks agree on the checkpoint to resume from. */
class RestoreAgreementTest {
  private static final Candidate OLDER = candidate(40);
  private static final Candidate NEWER = candidate(41);

  private final RestoreAgreement agreement = new RestoreAgreement(2, true);

  private static Candidate candidate(long iteration) {
    return new Candidate(
        new CheckpointId(Paths.GROUP, 3, iteration),
        Digest.of("manifest".getBytes(UTF_8)),
        Ancestry.NONE);
  }

  private boolean approve(int rank, Candidate candidate) {
    return agreement.vote(rank, candidate.id(), Optional.of(Level.NODE), "");
  }

  private boolean refuse(int rank, Candidate candidate) {
    return agreement.vote(rank, candidate.id(), Optional.empty(), "a checksum differs");
  }

  @Test
  void theNewestThatBothOfferIsProposed() {
    agreement.offer(0, List.of(OLDER, NEWER));
    agreement.offer(1, List.of(NEWER, OLDER));

    assertThat(agreement.proposed()).contains(NEWER);
  }

  @Test
  void aCandidateOfOneRankIsNotProposed() {
    agreement.offer(0, List.of(OLDER, NEWER));
    agreement.offer(1, List.of(OLDER));

    assertThat(agreement.proposed()).contains(OLDER);
  }

  @Test
  void eachProposalNeedsTheApprovalOfBoth() {
    agreement.offer(0, List.of(OLDER, NEWER));
    agreement.offer(1, List.of(OLDER, NEWER));
    approve(0, NEWER);
    refuse(1, NEWER);

    assertThat(approve(1, OLDER)).isFalse();
    assertThat(agreement.decided()).isFalse();
    assertThat(approve(0, OLDER)).isTrue();
    assertThat(agreement.proposed()).contains(OLDER);
  }

  @Test
  void aRefusedCandidateIsNotProposedAgain() {
    agreement.offer(0, List.of(NEWER));
    agreement.offer(1, List.of(NEWER));

    refuse(1, NEWER);

    assertThat(agreement.proposed()).isEmpty();
  }

  @Test
  void toStartAfreshIsNoSilentChoiceIfOneRankHasACheckpoint() {
    agreement.offer(0, List.of());
    agreement.offer(1, List.of(OLDER));

    assertThat(agreement.decided()).isTrue();
    assertThat(agreement.resume(4).refusals()).contains("rank 1 offers [e3-i40]");
  }

  /** It was killed while the first one was written. */
  @Test
  void aGroupThatNeverSealedACheckpointStartsAfresh() {
    RestoreAgreement first = new RestoreAgreement(2, false);
    first.offer(0, List.of());
    first.offer(1, List.of(OLDER));

    assertThat(first.decided()).isTrue();
    assertThat(first.proposed()).isEmpty();
    assertThat(first.resume(4).refusals()).isEmpty();
  }

  @Test
  void aGroupThatNeverSealedACheckpointResumesFromOneThatAllOffer() {
    RestoreAgreement first = new RestoreAgreement(2, false);
    first.offer(0, List.of(OLDER));
    first.offer(1, List.of(OLDER));

    assertThat(first.proposed()).contains(OLDER);
  }

  @Test
  void aGroupWithoutCheckpointsStartsAfresh() {
    agreement.offer(0, List.of());
    agreement.offer(1, List.of());

    assertThat(agreement.decided()).isTrue();
    assertThat(agreement.resume(4).refusals()).isEmpty();
  }
}
