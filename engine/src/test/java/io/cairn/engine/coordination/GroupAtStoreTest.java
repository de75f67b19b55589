package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GroupAtStoreTest {
  private static final GroupId GROUP = new GroupId("job", "run");

  private final List<CoordinatorEvent> events = new ArrayList<>();
  private final CheckpointStore store = new CrashingStore(1);
  private final EpochWatch epochs = new EpochWatch(store, GROUP);
  private final GroupAtStore group =
      new GroupAtStore(
          CallersThread.context(store, System::nanoTime, Runnable::run),
          Runnable::run,
          GROUP,
          epochs,
          new GroupMemory(store),
          events::add);

  /** One of each rank, described by as many entries as a manifest has room for. */
  private static CheckpointManifest manifest(int ranks) {
    TreeMap<String, String> entries = new TreeMap<>();
    for (int k = 0; k < Fingerprint.MAX_ENTRIES; k++) {
      entries.put("x".repeat(120) + "-" + k, "y".repeat(128));
    }
    Fingerprint program = new Fingerprint(entries);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      containers.add(
          new ContainerSummary("c" + rank, 1, Digest.of(new byte[1]), List.of(rank))
              .writtenBy(program));
    }
    return new CheckpointManifest(
        new CheckpointId(GROUP, 1, 7), ranks, Optional.empty(), Ancestry.NONE, "w", containers);
  }

  /** Without an outcome, NODE would keep this checkpoint and all later ones for ever. */
  @Test
  void aManifestThatIsTooLongFailsItsCheckpoint() throws IOException {
    Map<Integer, Origin> origins = Map.of(0, new Origin(GroupBirth.of(store, GROUP), 0));
    assertThat(epochs.stranger(origins)).isEmpty();
    assertThat(epochs.take(origins, "test")).isOne();

    group.commit(manifest(700), Optional.empty());

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CommitEnded.class,
            ended ->
                assertThat(ended.outcome())
                    .isInstanceOfSatisfying(
                        CommitOutcome.Failed.class,
                        failed ->
                            assertThat(failed.reason())
                                .contains("at most " + ManifestCodec.MAX_BYTES)
                                .contains("store.writers")));
  }

  @Test
  void nothingIsCommittedInAnEpochThatWasNotClaimed() {
    group.commit(manifest(1), Optional.empty());

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CommitEnded.class,
            ended ->
                assertThat(ended.outcome())
                    .isInstanceOfSatisfying(
                        CommitOutcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("not claimed yet")));
  }

  /** Each warning asks the clock for the time since the last one. */
  @Test
  void oldCheckpointsThatCannotBeDeletedAreAWarning() throws IOException {
    String manifest = StoreNames.file(new CheckpointId(GROUP, 1, 1), StoreNames.MANIFEST);

    int healthy = looksAtTheClock(new CrashingStore(1));
    int refused = looksAtTheClock(undeletable(new CrashingStore(1), manifest));

    assertThat(refused).isEqualTo(healthy + 1);
  }

  /** Seals one checkpoint more than are kept. */
  private static int looksAtTheClock(CheckpointStore at) throws IOException {
    AtomicInteger looks = new AtomicInteger();
    List<CoordinatorEvent> ends = new ArrayList<>();
    EpochWatch watch = new EpochWatch(at, GROUP);
    GroupAtStore training =
        new GroupAtStore(
            CallersThread.context(at, looks::incrementAndGet, Runnable::run),
            Runnable::run,
            GROUP,
            watch,
            new GroupMemory(at),
            ends::add);
    Map<Integer, Origin> origins = Map.of(0, new Origin(GroupBirth.of(at, GROUP), 0));
    assertThat(watch.stranger(origins)).isEmpty();
    assertThat(watch.take(origins, "test")).isOne();
    for (int iteration = 1; iteration <= 3; iteration++) {
      CheckpointId id = new CheckpointId(GROUP, 1, iteration);
      var containers = List.of(Written.container(at, id, 0, 1));
      training.commit(Written.manifest(id, 1, Ancestry.NONE, containers), Optional.empty());
    }
    assertThat(ends)
        .hasSize(3)
        .allSatisfy(
            end ->
                assertThat(((CommitEnded) end).outcome())
                    .isInstanceOf(CommitOutcome.Committed.class));
    return looks.get();
  }

  private static CheckpointStore undeletable(CheckpointStore below, String path) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            GroupAtStoreTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("delete") && path.equals(arguments[0])) {
                throw new IOException("no right to delete " + path);
              }
              try {
                return method.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aStepOfTheClockDatesNoSeal() {
    long[] nanos = {7};
    Instant[] wall = {Instant.parse("2026-11-26T12:00:00Z")};
    HostContext any = CallersThread.context(unloadable(), () -> nanos[0], Runnable::run);
    HostContext context =
        new HostContext(
            any.cadence(),
            any.retention(),
            any.joinTimeout(),
            any.store(),
            any.storePatience(),
            any.who(),
            any.events(),
            any.storing(),
            any.searching(),
            any.reports(),
            any.nanoTime(),
            () -> wall[0],
            any.alarm());
    InstantSource steady = context.steadyClock();

    wall[0] = wall[0].plus(Duration.ofDays(2));
    nanos[0] += Duration.ofHours(1).toNanos();

    assertThat(steady.instant()).isEqualTo(Instant.parse("2026-11-26T13:00:00Z"));
  }

  /** A class of the store may be missing. Without an outcome the ticket would stay open. */
  @Test
  void anErrorEndsACommitAsUnknown() {
    CheckpointStore broken = unloadable();
    GroupAtStore at =
        new GroupAtStore(
            CallersThread.context(broken, System::nanoTime, Runnable::run),
            Runnable::run,
            GROUP,
            new EpochWatch(broken, GROUP),
            new GroupMemory(broken),
            events::add);

    at.commit(manifest(1), Optional.empty());

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CommitEnded.class,
            ended -> assertThat(ended.outcome()).isInstanceOf(CommitOutcome.Unknown.class));
  }

  private static CheckpointStore unloadable() {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            GroupAtStoreTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              throw new NoClassDefFoundError("io/cairn/Missing");
            });
  }
}
