package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LateStore;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreRefusedException;
import io.cairn.flush.store.StoreUnavailableException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** STORE is full, read-only or out of reach when a process starts. */
@Timeout(60)
class StoreOpeningTest {
  @TempDir Path root;

  private int tries;

  private static StoreUnavailableException unavailable() {
    return new StoreUnavailableException("it is read-only", new IOException("as the kernel says"));
  }

  /** Time stands still, and whatever is awaited comes. */
  private static class NoSleep implements Waits {
    @Override
    public void sleep(long millis) {}

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      return null;
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      return awaited.handle((value, failure) -> true).join();
    }
  }

  /** Every wait lasts its whole time, in no time. */
  private static final class InVain extends NoSleep {
    private long waitedNanos;

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      waitedNanos += nanos;
      return false;
    }
  }

  /**
   * As a client that waits for a name node which is stopped, and goes on when it is interrupted.
   */
  private StoreOpening hanging(Duration patience, CompletableFuture<Boolean> closed) {
    return new StoreOpening(
        "played",
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            return (CheckpointStore)
                Proxy.newProxyInstance(
                    CheckpointStore.class.getClassLoader(),
                    new Class<?>[] {CheckpointStore.class},
                    (proxy, method, arguments) ->
                        closed.complete(method.getName().equals("close")));
          }
          throw new IllegalStateException("the latch is down");
        },
        () -> {
          throw new IOException("not asked");
        },
        patience);
  }

  @Test
  void aStoreThatHangsIsGivenUpAfterThePatienceAndClosedWhenItComes() {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    InVain waits = new InVain();

    assertThatThrownBy(() -> hanging(Duration.ofMinutes(2), closed).open(waits, () -> 0))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("STORE played has not answered for 120 s")
        .hasMessageContaining("store.patience");
    assertThat(closed.join()).isTrue();
    assertThat(Duration.ofNanos(waits.waitedNanos)).isEqualTo(Duration.ofMinutes(2));
  }

  /** A store that fails over to another name node takes its time. */
  @Test
  void aTryHasHalfAMinuteWithoutAnyPatience() {
    InVain waits = new InVain();

    assertThatThrownBy(() -> hanging(Duration.ZERO, new CompletableFuture<>()).open(waits, () -> 0))
        .hasMessageContaining("for 30 s");
    assertThat(Duration.ofNanos(waits.waitedNanos)).isEqualTo(Duration.ofSeconds(30));
  }

  private CheckpointStore local() throws IOException {
    return LocalStore.open(root.resolve("store"), Durability.PROCESS);
  }

  private StoreOpening opening(int failures, boolean exists, Duration patience) {
    return new StoreOpening(
        "played",
        () -> {
          if (tries++ < failures) {
            throw unavailable();
          }
          return local();
        },
        () -> {
          if (!exists) {
            throw new IOException("connection refused");
          }
          return CheckpointStores.openUnprobed(root.resolve("store").toString(), Map.of());
        },
        patience);
  }

  @Test
  void aStoreThatIsOutOfReachForAMomentIsWaitedFor() throws IOException {
    opening(3, false, Duration.ofMinutes(1)).open(new NoSleep(), () -> 0).close();

    assertThat(tries).isEqualTo(4);
  }

  @Test
  void afterThePatienceTheReasonIsTold() {
    assertThatThrownBy(() -> opening(9, false, Duration.ZERO).open(new NoSleep(), () -> 0))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("it is read-only");
    assertThat(tries).isOne();
  }

  @Test
  void aStoreThatWasUsedServesWhatItHasAlthoughItCannotBeWritten() throws IOException {
    try (CheckpointStore store = local()) {
      String name = StoreIdentity.of(store);
      try (CheckpointStore opened = opening(9, true, Duration.ZERO).open(new NoSleep(), () -> 0)) {
        assertThat(StoreIdentity.read(opened)).isEqualTo(name);
      }
    }
  }

  /** The disk that is read-only for its errors has a bad block there, too. */
  @Test
  void aStoreThatWasUsedIsKnownByItsEpochFilesIfItsNameCannotBeRead() throws Exception {
    train(0, 5);
    Path name = new Places(root).store().resolve(StoreIdentity.FILE);
    Files.delete(name);
    Files.createDirectory(name); // each read of it fails

    opening(9, true, Duration.ZERO).open(new NoSleep(), () -> 0).close();

    train(5, 6);
  }

  /** Nobody has probed it, and it has nothing to serve. */
  @Test
  void aStoreThatWasNeverUsedIsWaitedFor() throws IOException {
    local().close();

    assertThatThrownBy(() -> opening(9, true, Duration.ZERO).open(new NoSleep(), () -> 0))
        .isInstanceOf(StoreUnavailableException.class);
  }

  /** As on a full disk: names can be made, and hold nothing. */
  @Test
  void aTrainingResumesFromAFullStoreAndGoesOn() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
    }
    GatedStore store = new GatedStore(local());
    store.gate(
        (operation, path) -> {
          if (operation.equals("write")) {
            throw new IOException("No space left on device");
          }
        });
    String[] settings = {
      "node.dir", root + "/other", "closeTimeout", "2s", "node.every", "1", "store.every", "1"
    };
    try (CairnEngine cairn = CairnEngine.open(places.config(settings), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i4");
      var full = toy.run(checkpointer, 5, 7);
      assertThat(full.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(full.sealed(Level.STORE).join())
          .isInstanceOf(Outcome.Failed.class)
          .asString()
          .contains("No space left");

      store.gate(GatedStore.Gate.OPEN);
      assertThat(toy.run(checkpointer, 7, 8).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  /** A task would hold its slot for the patience, and so would each of its attempts. */
  @Test
  void aJoinFailsAtOnceIfTheStoreRefusesForGood() throws Exception {
    LateStore foreign =
        new LateStore(
            "STORE",
            () -> {
              throw new StoreRefusedException("it is a directory of another machine", null);
            },
            System::nanoTime);
    try (CairnEngine cairn =
        CairnEngine.openLate(new Places(root).config("store.patience", "1h"), foreign)) {
      assertThatThrownBy(() -> cairn.join("run").close())
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("would at each later try")
          .hasMessageContaining("a directory of another machine");
    }
  }

  private static final GatedStore.Gate READ_ONLY =
      ((GatedStore.Gate)
              (operation, path) -> {
                throw new IOException(path + ": Read-only file system");
              })
          .forWrites();

  private static String[] alone(Path node) {
    return new String[] {
      "node.dir",
      node.toString(),
      "closeTimeout",
      "2s",
      "node.every",
      "1",
      "store.every",
      "1",
      "store.patience",
      "0s"
    };
  }

  private void train(long from, long to) throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().isPresent()).isEqualTo(from > 0);
      toy.run(checkpointer, from, to).sealed(Level.STORE).join();
    }
  }

  /** Runs until STORE has a checkpoint; returns the iteration after it. */
  private static long untilSealed(Toy toy, Checkpointer checkpointer, long from) {
    long next = from;
    while (!(toy.run(checkpointer, next, next + 1).sealed(Level.STORE).join()
        instanceof Outcome.Sealed)) {
      next++;
    }
    return next + 1;
  }

  @Test
  void aTrainingResumesFromAStoreThatTakesNoFileAndIsThereOnceItDoes() throws Exception {
    train(0, 5);
    GatedStore store = new GatedStore(local());
    store.gate(READ_ONLY);
    Places places = new Places(root);
    long last;
    try (CairnEngine cairn = CairnEngine.open(places.config(alone(root.resolve("other"))), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i4");

      CheckpointTicket meanwhile = toy.run(checkpointer, 5, 7);
      assertThat(meanwhile.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
      for (Level level : List.of(Level.NODE, Level.STORE)) {
        assertThat(meanwhile.sealed(level).join())
            .isInstanceOf(Outcome.Failed.class)
            .asString()
            .contains("claim of epoch 7");
      }
      RestoreReport back = checkpointer.restore().orElseThrow();
      assertThat(back.id().label()).isEqualTo("e7-i6");
      assertThat(back.level()).isEqualTo(Level.DEVICE);

      store.gate(GatedStore.Gate.OPEN);
      last = untilSealed(toy, checkpointer, 7);
      assertThat(toy).isEqualTo(Toy.undisturbed(last));
    }
    try (Stream<Path> epochs = Files.list(places.store().resolve("test/run/epochs"))) {
      assertThat(epochs.map(path -> path.getFileName().toString()))
          .contains("000001", "000013")
          .doesNotContain("000007");
    }
    train(last, last + 1);
  }

  /** Its copies at DEVICE would pass for those of the other one. */
  @Test
  void anEpochWithoutAClaimIsOverOnceAnotherAttemptHasItsNumber() throws Exception {
    train(0, 5);
    GatedStore store = new GatedStore(local());
    store.gate(READ_ONLY);
    try (CairnEngine cairn =
            CairnEngine.open(new Places(root).config(alone(root.resolve("other"))), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport unused = checkpointer.restore().orElseThrow();
      toy.run(checkpointer, 5, 20).sealed(Level.STORE).join();

      train(5, 9); // takes epoch 2
      store.gate(GatedStore.Gate.OPEN);

      untilFenced(toy, checkpointer, 20);
      RestoreReport back = checkpointer.restore().orElseThrow();
      assertThat(back.id().label()).isEqualTo("e2-i8");
      assertThat(back.level()).isEqualTo(Level.STORE);
      assertThat(toy).isEqualTo(Toy.undisturbed(9));
      assertThat(toy.run(checkpointer, 9, 10).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  /** Nothing that was reported at STORE is passed over. */
  @Test
  void anEpochWithoutAClaimIsOverIfAnEarlierAttemptSealedMeanwhile() throws Exception {
    GatedStore store = new GatedStore(local());
    Places places = new Places(root);
    try (CairnEngine earlier = places.open("node.every", "1", "store.every", "1");
        Checkpointer first = earlier.join("run")) {
      Toy old = new Toy();
      old.protectBy(first);
      old.run(first, 0, 5).sealed(Level.STORE).join();
      store.gate(READ_ONLY);
      try (CairnEngine cairn =
              CairnEngine.open(places.config(alone(root.resolve("other"))), store);
          Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i4");
        toy.run(checkpointer, 5, 20).sealed(Level.STORE).join();

        assertThat(old.run(first, 5, 10).sealed(Level.STORE).join())
            .isEqualTo(new Outcome.Sealed(Level.STORE));
        store.gate(GatedStore.Gate.OPEN);

        untilFenced(toy, checkpointer, 20);
        assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i9");
        assertThat(toy).isEqualTo(Toy.undisturbed(10));
      }
    }
  }

  private static void untilFenced(Toy toy, Checkpointer checkpointer, long from) {
    long next = from;
    Outcome outcome;
    do {
      outcome = toy.run(checkpointer, next, next + 1).sealed(Level.STORE).join();
      assertThat(outcome).isNotInstanceOf(Outcome.Sealed.class);
      next++;
    } while (!(outcome instanceof Outcome.Fenced));
  }

  /** Nothing of it could be resumed. */
  @Test
  void aGroupThatIsNewDoesNotBeginInAStoreThatTakesNoFile() throws Exception {
    train(0, 5);
    GatedStore store = new GatedStore(local());
    store.gate(READ_ONLY);
    try (CairnEngine cairn =
        CairnEngine.open(new Places(root).config(alone(root.resolve("other"))), store)) {
      assertThatThrownBy(() -> cairn.join("new").close())
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("Read-only file system");
    }
  }

  /** The message of the late claim reaches each rank. */
  @Test
  void aCoupledGroupBeginsWithoutAClaimToo() throws Exception {
    String[] often = {"node.every", "1", "store.every", "1", "store.patience", "0s"};
    try (Ranks ranks = new Ranks(root, 2, often)) {
      List<Outcome> ends =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                return toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
              });
      assertThat(ends).containsOnly(new Outcome.Sealed(Level.STORE));
    }
    AtomicReference<GatedStore.Gate> gate = new AtomicReference<>(READ_ONLY);
    try (Ranks ranks = new Ranks(root, List.of(often, often), rank -> gated(gate), gated(gate))) {
      List<Toy> ends =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i4");
                assertThat(toy.run(checkpointer, 5, 6).sealed(Level.NODE).join())
                    .isInstanceOf(Outcome.Failed.class);
                gate.set(GatedStore.Gate.OPEN);
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 6));
                long end = untilSealed(toy, checkpointer, 6);
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, end));
                return toy;
              });
      assertThat(ends.get(0).weights).isNotEqualTo(ends.get(1).weights);
    }
  }

  private GatedStore gated(AtomicReference<GatedStore.Gate> gate) throws IOException {
    GatedStore store = new GatedStore(local());
    store.gate((operation, path) -> gate.get().pass(operation, path));
    return store;
  }
}
