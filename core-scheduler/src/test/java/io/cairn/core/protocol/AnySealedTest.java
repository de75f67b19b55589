package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorAction.MarkAnySealed;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A group knows whether it ever sealed a checkpoint above DEVICE. */
class AnySealedTest {
  private static final Digest DIGEST = Digest.of("index".getBytes(UTF_8));

  private GroupCoordinator coordinator = coordinator(2);
  private int incarnations;

  private static GroupCoordinator coordinator(int size) {
    return new GroupCoordinator(
        Paths.GROUP,
        size,
        CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
        Duration.ofMinutes(30));
  }

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return coordinator.on(event, 0);
  }

  /** Both ranks join, and an epoch is taken. */
  private void begin(int size, long epoch, boolean anySealed) {
    incarnations++;
    for (int rank = 0; rank < size; rank++) {
      String name = String.format(Locale.ROOT, "rank %d, %d", rank, incarnations);
      on(new MemberMessage.Join(rank, size, name, new Origin("birth", 0)));
    }
    on(new CoordinatorEvent.EpochTaken(epoch, Map.of(), anySealed));
  }

  private List<CoordinatorAction> hold(int rank, long epoch, long iteration, Level level) {
    ContainerSummary container =
        new ContainerSummary("writer-" + rank + ".chunks", 1, DIGEST, List.of(rank));
    return on(
        new MemberMessage.Held(
            rank, epoch, iteration, level, List.of(container), Measurement.NONE));
  }

  /** Rank 0 offers a checkpoint that rank 1 lacks; what the group says to that. */
  private String refusals(long epoch) {
    Candidate candidate =
        new Candidate(new CheckpointId(Paths.GROUP, epoch, 3), DIGEST, Ancestry.NONE);
    on(new MemberMessage.Offer(0, epoch, List.of(candidate)));
    return on(new MemberMessage.Offer(1, epoch, List.of())).stream()
        .filter(Send.class::isInstance)
        .map(send -> ((Send) send).message())
        .filter(CoordinatorMessage.Resume.class::isInstance)
        .map(message -> ((CoordinatorMessage.Resume) message).refusals())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theFirstSealAboveDeviceIsMarkedOnce() {
    begin(2, 4, false);
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));

    hold(0, 4, 10, Level.DEVICE);
    assertThat(hold(1, 4, 10, Level.DEVICE)).doesNotContain(new MarkAnySealed());
    assertThat(hold(0, 4, 10, Level.NODE)).doesNotContain(new MarkAnySealed());
    assertThat(hold(1, 4, 10, Level.NODE)).contains(new MarkAnySealed());
    hold(0, 4, 20, Level.NODE);
    assertThat(hold(1, 4, 20, Level.NODE)).doesNotContain(new MarkAnySealed());
  }

  @Test
  void nothingIsMarkedThatStoreShows() {
    begin(2, 4, true);
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));

    hold(0, 4, 10, Level.NODE);
    assertThat(hold(1, 4, 10, Level.NODE)).doesNotContain(new MarkAnySealed());
  }

  @Test
  void aGroupOfOneNeedsNoMark() {
    coordinator = coordinator(1);
    begin(1, 4, false);
    on(new MemberMessage.Offer(0, 4, List.of()));

    assertThat(hold(0, 4, 10, Level.NODE)).doesNotContain(new MarkAnySealed());
  }

  @Test
  void withoutASealRanksThatDisagreeStartAfresh() {
    begin(2, 4, false);

    assertThat(refusals(4)).isEmpty();
  }

  @Test
  void withASealRanksThatDisagreeDoNot() {
    begin(2, 4, true);

    assertThat(refusals(4)).contains("no checkpoint is within reach of every rank");
  }

  /** The mark may not be at STORE yet. */
  @Test
  void theCoordinatorRemembersItsOwnSeals() {
    begin(2, 4, false);
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));
    hold(0, 4, 10, Level.NODE);
    hold(1, 4, 10, Level.NODE);
    begin(2, 5, false);

    assertThat(refusals(5)).contains("no checkpoint is within reach of every rank");
  }
}
