package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening checks and makes directories; closing leaves neither threads nor arenas. */
@Timeout(30)
class OpenAndCloseTest {
  @TempDir Path root;

  private Places places() {
    return new Places(root);
  }

  private static Set<Thread> cairnThreads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("cairn-"));
    return threads;
  }

  private List<Path> arenas() throws IOException {
    Path arenas = root.resolve("device/arenas");
    if (Files.notExists(arenas)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(arenas)) {
      return files.toList();
    }
  }

  @Test
  void closingEndsItsThreadsAndRemovesItsArena() throws Exception {
    Set<Thread> before = cairnThreads();
    Set<Thread> own;
    try (CairnEngine cairn = places().open()) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        toy.run(checkpointer, 0, 5);
      }
      assertThat(arenas()).hasSize(1);
      own = cairnThreads();
      own.removeAll(before);
      assertThat(own).isNotEmpty();
    }
    for (Thread thread : own) {
      thread.join();
    }
    assertThat(arenas()).isEmpty();
  }

  @Test
  void closingDoesNotWaitForeverForAStoreThatHangs() throws Exception {
    GatedStore store = new GatedStore(CheckpointStores.open(places().store().toString()));
    CountDownLatch never = new CountDownLatch(1);
    CheckpointTicket ticket;
    try (CairnEngine cairn = CairnEngine.open(places().config("closeTimeout", "50ms"), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      GatedStore.Gate hangs = (operation, path) -> hang(never);
      store.gate(hangs.forWrites());
      ticket = toy.run(checkpointer, 0, 1);
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
    }
    assertThat(ticket.sealed(Level.STORE).get()).isInstanceOf(Outcome.Failed.class);
    assertThat(arenas()).isEmpty();
    never.countDown();
  }

  /** The device has no room for the cache, and the host's memory was opened before. */
  @Test
  void anOpenWithoutACacheLeavesNoMemoryOfTheHost() throws Exception {
    Places places = places();
    try (CheckpointStore store = CheckpointStores.open(places.store().toString());
        DelayedDevice tooSmall = new DelayedDevice(8, 3)) {
      CairnConfig config = places.config("host.cacheSize", "64k");

      assertThatThrownBy(() -> CairnEngine.open(config, store, tooSmall))
          .isInstanceOf(IOException.class);
    }
    assertThat(arenas()).isEmpty();
  }

  @Test
  void anOpenWhoseLevelsDoNotFitLeavesNoMemory() throws Exception {
    Places places = places();
    List<StepPlan> storeFromNowhere = List.of(StepPlan.ALL.get(1));
    try (CheckpointStore store = CheckpointStores.open(places.store().toString());
        DelayedDevice device = new DelayedDevice(1 << 20, 3)) {
      CairnConfig config = places.config("host.cacheSize", "64k");

      assertThatThrownBy(() -> CairnEngine.open(config, store, device, storeFromNowhere))
          .isInstanceOf(IllegalArgumentException.class);

      device.free(device.allocate(1 << 20));
    }
    assertThat(arenas()).isEmpty();
  }

  /** An exit hook closes what the training is closing, and then the process ends. */
  @Test
  void aSecondCloseWaitsForWhatTheFirstFlushes() throws Exception {
    GatedStore store = new GatedStore(CheckpointStores.open(places().store().toString()));
    CountDownLatch open = new CountDownLatch(1);
    CairnEngine cairn = CairnEngine.open(places().config(), store);
    Toy toy = new Toy();
    Checkpointer checkpointer = cairn.join("run");
    toy.protectBy(checkpointer);
    checkpointer.restore();
    GatedStore.Gate waits = (operation, path) -> await(open);
    store.gate(waits.forWrites());
    toy.run(checkpointer, 0, 1).sealed(Level.NODE).get();
    Thread first = waiting(cairn::close);

    Thread second = waiting(cairn::close);

    assertThat(second.isAlive()).isTrue();
    open.countDown();
    second.join();
    assertThat(places().store().resolve("test/run/e000001-i0000000000/MANIFEST")).exists();
    first.join();
  }

  /** Such as a training that goes on while its process is ended by a signal. */
  @Test
  void aCheckpointWhileItsProcessClosesFails() throws Exception {
    GatedStore store = new GatedStore(CheckpointStores.open(places().store().toString()));
    CountDownLatch open = new CountDownLatch(1);
    CairnEngine cairn = CairnEngine.open(places().config(), store);
    Toy toy = new Toy();
    Checkpointer checkpointer = cairn.join("run");
    toy.protectBy(checkpointer);
    checkpointer.restore();
    GatedStore.Gate waits = (operation, path) -> await(open);
    store.gate(waits.forWrites());
    toy.run(checkpointer, 0, 1).sealed(Level.NODE).get();
    Thread closing = waiting(cairn::close);

    Outcome closes = new Outcome.Failed("its process closes");
    CheckpointTicket inPlace = checkpointer.checkpoint(1);
    CheckpointTicket beside = checkpointer.checkpointBeside(2);

    for (CheckpointTicket ticket : List.of(inPlace, beside)) {
      assertThat(ticket.captured().get()).isEqualTo(closes);
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(closes);
    }
    open.countDown();
    closing.join();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  /** Starts a thread, and returns when it waits for a time or has ended. */
  private static Thread waiting(Runnable work) {
    Thread thread = new Thread(work, "closing");
    thread.start();
    while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void aCloseFromWithinACloseReturns() throws Exception {
    AtomicReference<CairnEngine> opened = new AtomicReference<>();
    CheckpointStore store =
        closingWith(
            CheckpointStores.open(places().store().toString()),
            () -> Optional.ofNullable(opened.get()).ifPresent(CairnEngine::close));
    opened.set(CairnEngine.open(places().config(), store));

    assertThatCode(opened.get()::close).doesNotThrowAnyException();
  }

  /** A store whose close runs something first. */
  private static CheckpointStore closingWith(CheckpointStore below, Runnable first) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            OpenAndCloseTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                first.run();
              }
              try {
                return method.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** By its clock, all of the time is over when NODE has ended. STORE hangs. */
  @Test
  void theLevelsShareTheTimeToClose() throws Exception {
    GatedStore store = new GatedStore(CheckpointStores.open(places().store().toString()));
    CountDownLatch never = new CountDownLatch(1);
    LateClock clock = new LateClock();
    CairnEngine cairn =
        CairnEngine.open(
            places().config("closeTimeout", "1h"),
            store,
            new DelayedDevice(1 << 20, 3),
            StepPlan.ALL,
            clock);
    Checkpointer checkpointer = cairn.join("run");
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    GatedStore.Gate hangs = (operation, path) -> hang(never);
    store.gate(hangs.forWrites());
    CheckpointTicket ticket = toy.run(checkpointer, 0, 1);
    assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
    clock.closer = Thread.currentThread();

    cairn.close();

    assertThat(ticket.sealed(Level.STORE)).isNotDone();
    never.countDown();
  }

  /** A clock that jumps by a day after one thread has looked at it. */
  private static final class LateClock implements LongSupplier {
    private volatile @Nullable Thread closer;
    private int asked;

    @Override
    public long getAsLong() {
      boolean late = Thread.currentThread() == closer && asked++ > 0;
      return System.nanoTime() + (late ? Duration.ofDays(1).toNanos() : 0);
    }
  }

  /** Never writes, not even when the test ends, since its directory is deleted meanwhile. */
  private static void hang(CountDownLatch untilTheEnd) throws IOException {
    try {
      untilTheEnd.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    throw new IOException("the store hung until the test ended");
  }

  @Test
  void anOpenThatFailsLeavesNoArena() throws Exception {
    String typing = root.resolve("no/such/place").toString();
    assertThatThrownBy(() -> places().open("node.dir", typing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(typing);
    assertThat(arenas()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"store", "node.dir"})
  void aFileInsteadOfADirectoryIsRefusedByName(String setting) throws Exception {
    Path file = Files.createFile(root.resolve("a-file"));

    assertThatThrownBy(() -> places().open(setting, file.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(setting)
        .hasMessageContaining(file + ": it is a file, not a directory");
    assertThatThrownBy(() -> places().open(setting, file.resolve("below").toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " above it is a file, not a directory");
    assertThat(arenas()).isEmpty();
  }

  @Test
  void theDefaultStoreNeedsNoPreparation() throws Exception {
    String home = System.getProperty("user.home");
    System.setProperty("user.home", root.toString());
    try {
      CairnConfig config =
          CairnConfig.of(
              Map.of(
                  "device.cacheSize", "4m",
                  "node.dir", places().node().toString(),
                  "device.dir", root.resolve("device").toString()));
      CairnEngine.open(config).close();
    } finally {
      System.setProperty("user.home", home);
    }
    assertThat(root.resolve(".cairn/store")).isDirectory();
  }

  @Test
  void rejectsANodeDirectoryThatEveryUserMayWrite() throws Exception {
    Files.createDirectory(places().node());
    Files.setPosixFilePermissions(places().node(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> places().open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("node.dir")
        .hasMessageContaining(places().node().toString());
    assertThat(arenas()).isEmpty();
  }

  @Test
  void rejectsANodeDirectoryOfAnotherUser() throws Exception {
    assumeThat(System.getProperty("user.name"))
        .as("only root can give a directory")
        .isEqualTo("root");
    Files.createDirectory(places().node());
    Files.setAttribute(places().node(), "unix:uid", 12345);
    assertThatThrownBy(() -> places().open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("node.dir")
        .hasMessageContaining("12345")
        .hasMessageContaining(places().node().toString());
  }

  /** Where Persian is the language, Spark gives its applications such ids. */
  @Test
  void anApplicationWhoseIdHasTheDigitsOfItsLanguageJoins() throws Exception {
    try (CairnEngine cairn = places().open()) {
      cairn.run("app-\u06f2\u06f0\u06f2\u06f6-\u06f0\u06f0\u06f0\u06f1");
      try (Checkpointer checkpointer = cairn.join("run")) {
        checkpointer.protect(Region.of("data", new int[10]));
        assertThat(checkpointer.restore()).isEmpty();
        assertThat(checkpointer.checkpoint(0).captured().join())
            .isInstanceOf(Outcome.Captured.class);
      }
    }
  }

  /** NODE's directory bears the store's name, so NODE cannot be opened without it. */
  @Test
  void aStoreWhoseNameCannotBeReadIsNamedByItsOwnSetting() throws Exception {
    places().open().close();
    Path name = places().store().resolve("cairn-store-id");
    Files.delete(name);
    Files.createDirectory(name);

    assertThatThrownBy(() -> places().open())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("store: ")
        .hasMessageContaining(name.toString())
        .hasMessageNotContaining("node.dir");
  }

  @Test
  void aBlobThatThrowsFailsItsTicket() throws Exception {
    boolean[] broken = {true};
    try (CairnEngine cairn = places().open("closeTimeout", "1h");
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("data", new int[10]));
      checkpointer.protect(Region.of("blob", () -> blob(broken[0]), bytes -> {}));
      assertThatThrownBy(() -> checkpointer.checkpoint(0)).hasMessage("no state yet");
      broken[0] = false;
      CheckpointTicket ticket = checkpointer.checkpoint(2);
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(cairn.counters().count(Level.STORE, Outcome.Failed.class)).isEqualTo(1);
    }
  }

  /** A library of the state may be missing, and the training must not wait for ever. */
  @Test
  void aBlobThatThrowsAnErrorFailsItsTicket() throws Exception {
    boolean[] broken = {true};
    try (CairnEngine cairn = places().open("closeTimeout", "1h");
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("data", new int[10]));
      checkpointer.protect(Region.of("blob", () -> unloadable(broken[0]), bytes -> {}));
      assertThatThrownBy(() -> checkpointer.checkpoint(0)).isInstanceOf(NoClassDefFoundError.class);
      broken[0] = false;
      CheckpointTicket ticket = checkpointer.checkpoint(2);
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(cairn.counters().count(Level.STORE, Outcome.Failed.class)).isEqualTo(1);
    }
  }

  private static byte[] unloadable(boolean broken) {
    if (broken) {
      throw new NoClassDefFoundError("io/cairn/Missing");
    }
    return new byte[3];
  }

  private static byte[] blob(boolean broken) {
    if (broken) {
      throw new IllegalStateException("no state yet");
    }
    return new byte[3];
  }
}
