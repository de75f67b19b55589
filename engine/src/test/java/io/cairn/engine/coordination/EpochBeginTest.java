package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.Remembered;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The survey of STORE with which an epoch begins. */
class EpochBeginTest {
  private static final int SIZE = 2;
  private static final CheckpointId OLD = Written.id(1, 10);
  private static final CheckpointId NEW = Written.id(1, 20);

  private final MemoryStore store = new MemoryStore("store");
  private final List<CoordinatorEvent> events = new ArrayList<>();

  /** Is called before each operation of the store. */
  private interface Before {
    void run(String operation, String path) throws IOException;
  }

  @BeforeEach
  void write() throws IOException {
    Written.sealed(store, OLD, SIZE, Ancestry.NONE);
  }

  private CheckpointStore watched(Before before) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            EpochBeginTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (arguments != null) {
                before.run(method.getName(), arguments[0].toString());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aGroupWithACheckpointHasSealedOne() throws IOException {
    assertThat(begin(store).anySealed()).isTrue();
  }

  @Test
  void aNewGroupHasSealedNone() throws IOException {
    store.deleteDirectory(StoreNames.checkpoint(OLD));
    assertThat(begin(store).anySealed()).isFalse();
  }

  @Test
  void aGroupThatIsMarkedHasSealedOne() throws IOException {
    store.deleteDirectory(StoreNames.checkpoint(OLD));
    GroupMemory memory = new GroupMemory(store);
    memory.markAnySealed(OLD.group());
    memory.markAnySealed(OLD.group());
    assertThat(begin(store).anySealed()).isTrue();
  }

  /** With it, the mark may be lost, too. */
  @Test
  void aGroupWhoseClaimIsLostMayHaveSealedOne() throws IOException {
    store.deleteDirectory(StoreNames.checkpoint(OLD));
    Origin lost = new Origin(GroupBirth.of(store, Written.GROUP), 7);
    epochBegin(store).run(Map.of(0, lost));
    assertThat(events)
        .filteredOn(EpochTaken.class::isInstance)
        .allSatisfy(taken -> assertThat(((EpochTaken) taken).anySealed()).isTrue())
        .hasSize(1);
  }

  @Test
  void aGroupWhoseClaimIsThereHasSealedNone() throws IOException {
    store.deleteDirectory(StoreNames.checkpoint(OLD));
    begin(store);
    events.clear();
    Origin known = new Origin(GroupBirth.of(store, Written.GROUP), 1);
    epochBegin(store).run(Map.of(0, known));
    assertThat(events)
        .filteredOn(EpochTaken.class::isInstance)
        .allSatisfy(taken -> assertThat(((EpochTaken) taken).anySealed()).isFalse())
        .hasSize(1);
  }

  private EpochTaken begin(CheckpointStore used) throws IOException {
    epochBegin(used).run(origins());
    return events.stream()
        .filter(EpochTaken.class::isInstance)
        .map(EpochTaken.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private Map<Integer, Origin> origins() throws IOException {
    Origin origin = new Origin(GroupBirth.of(store, Written.GROUP), 0);
    return Map.of(0, origin, 1, origin);
  }

  private EpochBegin epochBegin(CheckpointStore used) {
    return epochBegin(used, Duration.ZERO);
  }

  private EpochBegin epochBegin(CheckpointStore used, Duration patience) {
    HostContext context =
        new HostContext(
            CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
            RetentionPolicy.newest(2),
            Duration.ofMinutes(1),
            used,
            patience,
            "test",
            Runnable::run,
            Runnable::run,
            Runnable::run,
            new CadenceReports(),
            () -> 0,
            InstantSource.system(),
            (nanos, task) -> task.run());
    return new EpochBegin(
        context,
        Written.GROUP,
        new EpochWatch(used, Written.GROUP),
        new GroupMemory(used),
        events::add,
        Runnable::run);
  }

  private static List<RankHolding> of(EpochTaken taken, int rank) {
    return taken.atStore().getOrDefault(rank, new RankSurvey(List.of())).holdings();
  }

  @Test
  void eachRankGetsItsOwnContainers() throws IOException {
    EpochTaken taken = begin(store);

    for (int rank = 0; rank < SIZE; rank++) {
      int own = rank;
      assertThat(of(taken, rank))
          .singleElement()
          .satisfies(
              holding -> {
                assertThat(holding.id()).isEqualTo(OLD);
                assertThat(holding.containers())
                    .singleElement()
                    .satisfies(of -> assertThat(of.file()).isEqualTo(StoreNames.container(own)));
              });
    }
  }

  /** An attempt that sees no later epoch reports its checkpoint as sealed. */
  @Test
  void aCheckpointThatIsSealedJustBeforeTheEpochIsTakenIsInIt() throws IOException {
    CheckpointStore sealing =
        watched(
            (operation, path) -> {
              if (operation.equals("create") && path.equals(StoreNames.epoch(Written.GROUP, 2))) {
                Written.sealed(store, NEW, SIZE, Ancestry.NONE);
              }
            });

    EpochTaken taken = begin(sealing);

    assertThat(of(taken, 0)).extracting(RankHolding::id).containsExactly(OLD, NEW);
  }

  @Test
  void anEpochBeginsWithoutASurveyIfTheStoreCannotBeListed() throws IOException {
    String epoch = StoreNames.epoch(Written.GROUP, 2);
    String epochs = StoreNames.epochs(Written.GROUP);
    CheckpointStore failing =
        watched(
            (operation, path) -> {
              boolean survey = store.files.containsKey(epoch) && !path.equals(epochs);
              if (survey && operation.equals("list")) {
                throw new IOException("connection refused");
              }
            });

    EpochTaken taken = begin(failing);

    assertThat(taken.epoch()).isEqualTo(2);
    assertThat(taken.atStore()).isEmpty();
    assertThat(taken.anySealed()).as("nothing is known").isTrue();
  }

  /** A rank that began again may have made a birth below a mount point without its file system. */
  @Test
  void theBirthInAnotherDirectoryIsNotThatOfTheGroup() throws IOException {
    String name = StoreIdentity.of(store);
    EpochBegin begin = epochBegin(store);
    begin.run(origins());
    events.clear();
    store.files.clear();
    assertThat(StoreIdentity.of(store)).isNotEqualTo(name);
    String birth = GroupBirth.of(store, Written.GROUP);

    begin.findBirth();

    assertThat(birth).isNotEmpty();
    assertThat(events).containsExactly(new CoordinatorEvent.BirthFound("", store.describe()));
  }

  /** STORE does not show whether another attempt has taken a later one. */
  @Test
  void noLaterEpochIsTakenIfTheStoreCannotBeListed() throws IOException {
    Map<Integer, Origin> origins = origins();
    AtomicBoolean silent = new AtomicBoolean();
    CheckpointStore failing =
        watched(
            (operation, path) -> {
              if (silent.get() && operation.equals("list")) {
                throw new IOException("connection refused");
              }
            });
    EpochBegin begin = epochBegin(failing);
    begin.run(origins);
    events.clear();
    silent.set(true);

    begin.later(2, origins);

    assertThat(events).containsExactly(new CoordinatorEvent.EpochStays(2));
  }

  /** A NameNode fails over in the moment in which a claim is missed. */
  @Test
  void aLaterEpochIsTakenOnceTheStoreCanBeListedAgain() throws IOException {
    Map<Integer, Origin> origins = origins();
    AtomicInteger failures = new AtomicInteger();
    CheckpointStore failing =
        watched(
            (operation, path) -> {
              if (operation.equals("list") && failures.getAndDecrement() > 0) {
                throw new IOException("connection refused");
              }
            });
    EpochBegin begin = epochBegin(failing, Duration.ofMinutes(1));
    begin.run(origins);
    events.clear();
    failures.set(3);

    begin.later(2, origins);

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CoordinatorEvent.LaterEpochTaken.class,
            later -> {
              assertThat(later.instead()).isEqualTo(2);
              assertThat(later.taken().epoch()).isEqualTo(3);
              assertThat(later.taken().standing().claimed()).isTrue();
              assertThat(later.taken().standing().first()).isEqualTo(2);
            });
  }

  @Test
  void theEpochStaysIfNoLaterOneCanBeClaimed() throws IOException {
    Map<Integer, Origin> origins = origins();
    AtomicBoolean full = new AtomicBoolean();
    CheckpointStore failing =
        watched(
            (operation, path) -> {
              if (full.get() && operation.equals("create")) {
                throw new IOException("no space left");
              }
            });

    EpochBegin begin = epochBegin(failing);
    begin.run(origins);
    events.clear();
    full.set(true);

    begin.later(2, origins);

    assertThat(events).containsExactly(new CoordinatorEvent.EpochStays(2));
    assertThat(store.files).doesNotContainKey(StoreNames.epoch(Written.GROUP, 3));
  }

  /** A class of the store's may be missing, and the ranks wait for an answer. */
  @Test
  void anErrorRefusesTheEpoch() throws IOException {
    Map<Integer, Origin> origins = origins();
    CheckpointStore broken = watched(EpochBeginTest::unloadable);

    epochBegin(broken).run(origins);

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CoordinatorEvent.EpochRefused.class,
            refused -> assertThat(refused.reason()).contains("io/cairn/Missing"));
  }

  @Test
  void theEpochStaysIfAnErrorPreventsALaterOne() throws IOException {
    Map<Integer, Origin> origins = origins();

    epochBegin(watched(EpochBeginTest::unloadable)).later(2, origins);

    assertThat(events).containsExactly(new CoordinatorEvent.EpochStays(2));
  }

  private static void unloadable(String operation, String path) {
    throw new NoClassDefFoundError("io/cairn/Missing");
  }

  @Test
  void measurementsAreReadForEachCoordinatorOnce() throws IOException {
    Map<Level, Long> periods = Map.of(Level.NODE, 2L, Level.STORE, 4L);
    new GroupMemory(store).keep(OLD, new Learned(periods, Map.of(), 9, 0.1, Map.of(), Map.of()));
    EpochBegin begin = epochBegin(store);

    begin.run(origins());
    begin.run(origins());
    assertThat(events).filteredOn(Remembered.class::isInstance).hasSize(1);

    begin.resized();
    begin.run(origins());
    assertThat(events).filteredOn(Remembered.class::isInstance).hasSize(2);
  }

  @Test
  void theStoreIsListedOnceForAllRanks() throws IOException {
    List<String> manifests = new ArrayList<>();
    CheckpointStore counting =
        watched(
            (operation, path) -> {
              if (operation.equals("open") && path.endsWith(StoreNames.MANIFEST)) {
                manifests.add(path);
              }
            });

    begin(counting);

    assertThat(manifests).containsExactly(StoreNames.file(OLD, StoreNames.MANIFEST));
  }

  /** As in safe mode; a deletion of it fails, too. */
  private CheckpointStore readOnly(AtomicBoolean closed) {
    return watched(
        (operation, path) -> {
          if (closed.get() && !operation.equals("open") && !operation.equals("list")) {
            throw new IOException(path + ": Read-only file system");
          }
        });
  }

  @Test
  void anEpochBeginsWithoutAClaimInAStoreThatTakesNoFile() throws IOException {
    AtomicBoolean closed = new AtomicBoolean(true);
    Map<Integer, Origin> origins = origins();
    EpochBegin begin = epochBegin(readOnly(closed));

    begin.run(origins);

    EpochTaken taken = events.stream().flatMap(EpochBeginTest::taken).findFirst().orElseThrow();
    assertThat(taken.standing().claimed()).isFalse();
    assertThat(of(taken, 0)).as("what can be read").hasSize(1);
    events.clear();

    begin.claim(taken.epoch());
    assertThat(events).containsExactly(new CoordinatorEvent.ClaimEnded(taken.epoch(), false));
    events.clear();
    closed.set(false);
    begin.claim(taken.epoch());
    assertThat(events)
        .as("that was tried a moment ago, and the clock stands still")
        .containsExactly(new CoordinatorEvent.ClaimEnded(taken.epoch(), false));
  }

  /** Its ranks would train without a checkpoint for ever, and no wait mends it. */
  @Test
  void aStoreThatDeniesTheClaimRefusesTheEpochAtOnce() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    Map<Integer, Origin> origins = origins();
    CheckpointStore denying =
        watched(
            (operation, path) -> {
              if (operation.equals("create") && tries.incrementAndGet() < 9) {
                throw new IOException("cannot create", new AccessDeniedException(path));
              }
            });

    epochBegin(denying, Duration.ofMinutes(1)).run(origins);

    assertThat(tries).hasValue(1);
    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CoordinatorEvent.EpochRefused.class,
            refused -> assertThat(refused.reason()).contains("none could be at a later try"));
  }

  /** Nothing may be known of a store that cannot be read. */
  @Test
  void noEpochBeginsInAStoreThatCannotBeListedEither() throws IOException {
    Map<Integer, Origin> origins = origins();
    CheckpointStore silent =
        watched(
            (operation, path) -> {
              if (!operation.equals("open")) {
                throw new IOException("connection refused");
              }
            });

    epochBegin(silent).run(origins);

    assertThat(events).singleElement().isInstanceOf(CoordinatorEvent.EpochRefused.class);
  }

  /** Its checkpoint is of a later epoch, which only another node knew of. */
  @Test
  void alsoALaterEpochBeginsWithoutAClaim() throws IOException {
    AtomicBoolean closed = new AtomicBoolean(true);
    String birth = GroupBirth.of(store, Written.GROUP);
    EpochBegin begin = epochBegin(readOnly(closed));
    begin.run(Map.of(0, new Origin(birth, 0)));
    long first = events.stream().flatMap(EpochBeginTest::taken).findFirst().orElseThrow().epoch();
    events.clear();

    begin.later(first, Map.of(0, new Origin(birth, 50)));

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CoordinatorEvent.LaterEpochTaken.class,
            later -> {
              assertThat(later.instead()).isEqualTo(first);
              assertThat(later.taken().epoch()).isGreaterThan(50);
              assertThat(later.taken().standing().claimed()).isFalse();
            });
  }

  private static Stream<EpochTaken> taken(CoordinatorEvent event) {
    return event instanceof EpochTaken taken ? Stream.of(taken) : Stream.empty();
  }
}
