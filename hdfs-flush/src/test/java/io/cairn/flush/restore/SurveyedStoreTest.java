package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** STORE as a rank reads it that was sent the coordinator's survey. */
class SurveyedStoreTest {
  private static final int SIZE = 2;
  private static final int RANK = 1;
  private static final CheckpointId OLD = Written.id(1, 10);
  private static final CheckpointId NEW = Written.id(1, 20);

  private final MemoryStore store = new MemoryStore("store");
  private final Member member = new Member(Written.GROUP, RANK, SIZE);

  @BeforeEach
  void write() throws IOException {
    String unused = GroupBirth.of(store, Written.GROUP);
    Written.sealed(store, OLD, SIZE, Ancestry.NONE);
    Written.sealed(store, NEW, SIZE, Ancestry.NONE);
  }

  private static Optional<RankSurvey> survey(CheckpointStore listed) throws IOException {
    Inventory.Listing listing = Inventory.list(listed, Written.GROUP);
    return Optional.ofNullable(ListedHoldings.surveys(listing, List.of(0, RANK)).get(RANK));
  }

  private static RestorePlanner planner(CheckpointStore store, Optional<RankSurvey> survey) {
    return new RestorePlanner(List.of(StoreCopies.ofBorn(store, survey)));
  }

  private Verification verify(RestorePlanner planner, CheckpointId id) {
    planner.candidates(member);
    return planner.verify(id, member, new StagingBuffer());
  }

  @Test
  void thePlanIsThatOfARankThatListsTheStoreItself() throws IOException {
    store.flip(StoreNames.file(OLD, StoreNames.MANIFEST), 900);

    Plan plan = planner(store, survey(store)).candidates(member);

    assertThat(plan).isEqualTo(planner(store, Optional.empty()).candidates(member));
    assertThat(plan.choices()).extracting(Plan.Choice::id).containsExactly(NEW);
    assertThat(plan.damaged()).containsExactly(OLD);
  }

  @Test
  void aManifestThatTheCoordinatorCouldNotReadHoldsTheRankBack() throws IOException {
    CheckpointStore broken = Unreadable.file(store, StoreNames.file(NEW, StoreNames.MANIFEST));

    Plan plan = planner(store, survey(broken)).candidates(member);

    assertThat(plan.choices()).extracting(Plan.Choice::id).containsExactly(OLD);
    assertThat(plan.unreachable())
        .singleElement()
        .satisfies(
            unreachable -> {
              assertThat(unreachable.mayBeNewest()).isTrue();
              assertThat(unreachable.toString()).contains("e1-i20", "could not obtain block");
            });
  }

  @Test
  void itsContainersAreVerified() throws IOException {
    Optional<RankSurvey> survey = survey(store);
    assertThat(verify(planner(store, survey), NEW)).isInstanceOf(VerifiedCopy.class);

    store.flip(StoreNames.file(NEW, StoreNames.container(RANK)), 900);

    assertThat(verify(planner(store, survey), NEW)).isInstanceOf(Verification.Refused.class);
  }

  @Test
  void aContainerThatWasReplacedIsRefusedByItsDigest() throws IOException {
    Optional<RankSurvey> survey = survey(store);
    String container = StoreNames.container(RANK);
    store.files.put(
        StoreNames.file(NEW, container), store.content(StoreNames.file(OLD, container)));

    assertThat(verify(planner(store, survey), NEW))
        .isInstanceOfSatisfying(
            Verification.Refused.class, refused -> assertThat(refused.retryable()).isFalse());
  }

  @Test
  void aContainerThatIsGoneIsLookedForOnce() throws IOException {
    Optional<RankSurvey> survey = survey(store);
    store.delete(StoreNames.file(NEW, StoreNames.container(RANK)));

    assertThat(verify(planner(store, survey), NEW))
        .isInstanceOfSatisfying(
            Verification.Refused.class,
            refused -> assertThat(refused.attempts().toString()).contains("does not exist"));
  }

  /** A directory below a missing mount lacks all of them. */
  @Test
  void aStoreThatShowsNoBirthLacksNothing() throws IOException {
    Optional<RankSurvey> survey = survey(store);
    store.files.clear();

    Plan listed = planner(store, Optional.empty()).candidates(member);
    Verification read = verify(planner(store, survey), NEW);

    assertThat(listed.choices()).isEmpty();
    assertThat(listed.unreachable())
        .singleElement()
        .satisfies(
            unreachable -> {
              assertThat(unreachable.mayBeNewest()).isTrue();
              assertThat(unreachable.toString()).contains("does not show the birth of job/group");
            });
    assertThat(read)
        .isInstanceOfSatisfying(
            Verification.Refused.class, refused -> assertThat(refused.retryable()).isTrue());
  }

  @Test
  void aStoreThatGoesWhileItIsListedLacksNothing() {
    String manifest = StoreNames.file(NEW, StoreNames.MANIFEST);
    CheckpointStore going =
        (CheckpointStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CheckpointStore.class},
                (proxy, method, arguments) -> {
                  if (arguments != null && manifest.equals(arguments[0])) {
                    store.files.clear();
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });

    Plan plan = planner(going, Optional.empty()).candidates(member);

    assertThat(plan.unreachable().toString()).contains("does not show the birth of");
  }

  @Test
  void aSurveyOfAnotherGroupCountsAsAStoreThatCannotBeRead() throws IOException {
    Member stranger = new Member(new GroupId("job", "other"), RANK, SIZE);

    Plan plan = planner(store, survey(store)).candidates(stranger);

    assertThat(plan.choices()).isEmpty();
    assertThat(plan.unreachable().toString()).contains("survey is not of job/other");
  }
}
