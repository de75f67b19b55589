package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Histories that meet in a directory, each with a device of its own, as processes have. */
@Timeout(60)
class MachinePeersTest {
  private static final int STATE = 8192;
  private static final int CHUNK = 4096;

  /** The host is so slow that a peer takes all that it can. */
  private static final Topology FAST = Topology.uniform(2, 24e9, 1);

  private static final Member LENDER = new Member(new GroupId("raw", "lender"), 1, 2);

  @TempDir Path directory;
  private final byte[] field = new byte[STATE];
  private final byte[] large = new byte[8 * STATE];
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private MachinePeers join(int number) throws IOException {
    MachinePeers peers = MachinePeers.join(directory.resolve("peers"), FAST, number);
    opened.push(peers);
    return peers;
  }

  private History open(MachinePeers peers, int number, int deviceStates, int fileStates)
      throws IOException {
    DeviceMemory device = SharedMemoryDevice.open(directory, directory, 1 << 20);
    opened.addLast(device);
    Path files = directory.resolve("states-" + number);
    History history =
        History.open(
            HistoryPlaces.on(device).withPeers(peers),
            new HistorySettings(
                (long) deviceStates * STATE, CHUNK, files, (long) fileStates * STATE));
    opened.push(history);
    history.protect(Region.of("field", field));
    return history;
  }

  private void store(History history, int from, int to) {
    for (long step = from; step < to; step++) {
      Arrays.fill(field, (byte) (step + 1));
      history.store(step);
    }
  }

  private void restore(History history, int steps) {
    for (long step = steps - 1L; step >= 0; step--) {
      Arrays.fill(field, (byte) 0);
      history.restore(step, true);
      for (byte value : field) {
        assertThat(value).as("step %d", step).isEqualTo((byte) (step + 1));
      }
    }
  }

  private static HistoryStats.Place place(History history, String name) {
    return history.stats().below().stream()
        .filter(below -> below.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static long loaned(History history) {
    return place(history, "other processes' memory").bytesDown();
  }

  private static void awaitBorrowed(MachinePeers peers, int states) {
    Until.holds(() -> peers.borrowedBytes() == (long) states * STATE);
  }

  @Test
  void theOtherProcessKeepsWhatItHasRoomForAndFilesTheRest() throws IOException {
    MachinePeers borrowing = join(0);
    MachinePeers lending = join(1);
    History borrower = open(borrowing, 0, 4, 100);
    History lender = open(lending, 1, 10, 100);
    lender.expect(4, STATE);
    borrower.expect(14, STATE);
    awaitBorrowed(borrowing, 6);

    store(borrower, 0, 14);
    store(lender, 0, 4);

    assertThat(lending.lentBytes()).isEqualTo(6L * STATE);
    restore(borrower, 14);
    restore(lender, 4);
    assertThat(loaned(borrower)).isEqualTo(6L * STATE);
    assertThat(place(borrower, "files").bytesDown()).isEqualTo(4L * STATE);
    assertThat(lender.stats().bytesDown()).isZero();
  }

  @Test
  void eachExpectationMakesANewPlan() throws IOException {
    MachinePeers first = join(0);
    MachinePeers second = join(1);
    History one = open(first, 0, 8, 100);
    History other = open(second, 1, 8, 100);
    one.expect(12, STATE);
    other.expect(4, STATE);
    awaitBorrowed(first, 4);
    store(one, 0, 12);
    restore(one, 12);

    one.expect(4, STATE);
    other.expect(12, STATE);
    awaitBorrowed(second, 4);

    assertThat(first.borrowedBytes()).isZero();
    store(other, 0, 12);
    restore(other, 12);
    assertThat(loaned(other)).isEqualTo(4L * STATE);
  }

  @Test
  void aProcessThatJoinsLateLearnsTheReports() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    borrower.expect(14, STATE);
    store(borrower, 0, 6);

    History lender = open(join(1), 1, 10, 100);
    lender.expect(4, STATE);

    awaitBorrowed(borrowing, 6);
    store(borrower, 6, 14);
    restore(borrower, 14);
  }

  @Test
  void aLenderThatNeedsItsMemoryGetsItBack() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    History lender = lendNine(borrowing, borrower);

    lender.store(0, large(lender));

    assertThat(borrowing.borrowedBytes()).isZero();
    Arrays.fill(large, (byte) 0);
    lender.restore(0, large(lender), true);
    assertThat(large).containsOnly((byte) 7);
    restore(borrower, 13);
    assertThat(loaned(borrower)).isEqualTo(9L * STATE);
    assertThat(place(borrower, "files").bytesDown()).isEqualTo(9L * STATE);
  }

  @Test
  void aLenderWhoseMemoryCannotComeBackIsToldSo() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 2);
    History lender = lendNine(borrowing, borrower);

    assertThatThrownBy(() -> lender.store(0, large(lender)))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("no room for step 0");

    assertThat(borrowing.borrowedBytes()).isEqualTo(9L * STATE);
    restore(borrower, 13);
  }

  /** A history of ten states lends nine, which the borrower's 13 states fill. */
  private History lendNine(MachinePeers borrowing, History borrower) throws IOException {
    History lender = open(join(1), 1, 10, 100);
    lender.expect(1, STATE);
    borrower.expect(13, STATE);
    awaitBorrowed(borrowing, 9);
    store(borrower, 0, 13);
    Until.holds(() -> loaned(borrower) == 9L * STATE);
    return lender;
  }

  private RegionSet large(History lender) {
    RegionSet more = lender.regions();
    more.protect(Region.of("large", large));
    Arrays.fill(large, (byte) 7);
    return more;
  }

  @Test
  void anInterruptedStoreTakesNothingBack() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 0);
    History lender = lendNine(borrowing, borrower);
    MachinePeers lending = lending();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lender.store(0, large(lender))).isInstanceOf(HistoryException.class);
    assertThat(Thread.interrupted()).isTrue();

    assertThatThrownBy(() -> lender.store(0, large(lender)))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("no room for step 0");
    assertThat(lending.lentBytes()).isEqualTo(9L * STATE);
    restore(borrower, 13);
    assertThat(borrower.stats().lost()).isZero();
  }

  @Test
  void anInterruptedStoreMovesNoState() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    History lender = lendNine(borrowing, borrower);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lender.store(0, large(lender))).isInstanceOf(HistoryException.class);
    assertThat(Thread.interrupted()).isTrue();

    restore(borrower, 13);
    assertThat(place(borrower, "files").bytesDown()).isZero();
  }

  @Test
  void aProcessThatIsInterruptedAsItLeavesReleasesNothing() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 0);
    History lender = lendNine(borrowing, borrower);
    MachinePeers lending = lending();
    lender.close();

    Thread.currentThread().interrupt();
    lending.close();
    assertThat(Thread.interrupted()).isTrue();

    lending.close();
    assertThat(lending.lentBytes()).isEqualTo(9L * STATE);
    restore(borrower, 13);
    assertThat(borrower.stats().lost()).isZero();
  }

  /** A process that sends and answers messages of its own. */
  private static final class RawProcess implements PeerService, AutoCloseable {
    private final Function<PeerRequest, Message> answers;
    private final MeetingPlace place;
    private final MachineProcess other;
    private final LeaseId lease;

    RawProcess(Path directory, int device, Function<PeerRequest, Message> answers)
        throws IOException {
      this.answers = answers;
      place = MeetingPlace.open(directory.resolve("peers"), device, this, Duration.ofSeconds(20));
      place.announce();
      other = place.find(1 - device);
      CheckpointId any = new CheckpointId(new GroupId("a", "b"), 1, 0);
      lease = new LeaseId(place.newHolder(), 1, any, 0);
    }

    LeaseAnswer acquire(LeaseId id) throws IOException {
      return ask(new LeaseRequest.Acquire(id, 3));
    }

    LeaseAnswer ask(LeaseRequest request) throws IOException {
      return other.ask(new PeerRequest.Lease(request), PeerReply.Leased.class).answer();
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      Message answer = answers.apply(Wire.decode(question, PeerRequest.class));
      return CompletableFuture.completedFuture(Wire.encode(answer));
    }

    @Override
    public void close() {
      other.close();
      place.close();
    }
  }

  /** A process without a history, which answers nothing as it should. */
  private RawProcess rudeBorrower() throws IOException {
    RawProcess borrower = new RawProcess(directory, 0, request -> new PeerReply.Done());
    opened.push(borrower);
    return borrower;
  }

  @Test
  void aBorrowerThatBreaksTheRulesKeepsItsLeaseUntilItEnds() throws IOException {
    MachinePeers lending = join(1);
    History lender = open(lending, 1, 8, 0);
    lender.expect(1, STATE);
    RawProcess borrower = rudeBorrower();
    assertThat(borrower.acquire(borrower.lease)).isInstanceOf(LeaseAnswer.Granted.class);
    assertThat(lending.lentBytes()).isEqualTo(3L * CHUNK);

    assertThatIOException().isThrownBy(() -> borrower.acquire(borrower.lease));
    assertThatThrownBy(() -> lender.store(0, large(lender))).isInstanceOf(HistoryException.class);
    assertThat(lending.lentBytes()).isEqualTo(3L * CHUNK);

    borrower.close();
    Until.holds(() -> lending.lentBytes() == 0);
  }

  /** The borrower waits for no answer any more, and uses none. */
  @Test
  void aRequestThatItsReleaseOvertookIsRefused() throws IOException {
    MachinePeers lending = join(1);
    open(lending, 1, 8, 0).expect(1, STATE);
    RawProcess borrower = rudeBorrower();

    assertThat(borrower.ask(new LeaseRequest.Release(borrower.lease)))
        .isInstanceOf(LeaseAnswer.Released.class);

    assertThat(borrower.acquire(borrower.lease)).isInstanceOf(LeaseAnswer.Refused.class);
    assertThat(lending.lentBytes()).isZero();
  }

  @Test
  void aProcessWithoutAPlaceBorrowsNothing() throws IOException {
    MachinePeers lending = join(1);
    open(lending, 1, 8, 0).expect(1, STATE);
    RawProcess borrower = rudeBorrower();
    for (String holder : List.of("nobody", "7/n@127.0.0.1:9", "0/n@127.0.0.1:9")) {
      LeaseId unknown = new LeaseId(holder, 1, borrower.lease.checkpoint(), 0);
      assertThatIOException().as(holder).isThrownBy(() -> borrower.acquire(unknown));
    }
    assertThat(lending.lentBytes()).isZero();
  }

  /** Its chunks lie in other memory than the exports that were greeted with. */
  @Test
  void aHistoryThatFollowedTheGreetedOneIsNotBorrowedFrom() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    borrower.expect(14, STATE);
    DeviceMemory other = SharedMemoryDevice.open(directory, directory, 1 << 20);
    opened.addLast(other);
    SlotExport all = new SlotExport(0, 40, other.export(other.allocate(40 * CHUNK)));
    AtomicInteger histories = new AtomicInteger();
    AtomicInteger releases = new AtomicInteger();
    Report none = Reports.report(LENDER, "life", 0, 1, 0);
    RawProcess lender =
        new RawProcess(
            directory,
            1,
            request -> {
              if (request instanceof PeerRequest.Greet) {
                String next = "history " + histories.incrementAndGet();
                return new PeerReply.Greeting(next, "", CHUNK, List.of(all.toMessage()));
              } else if (!(request instanceof PeerRequest.Lease lease)) {
                return new PeerRequest.Desk(none);
              } else if (lease.request() instanceof LeaseRequest.Release release) {
                releases.incrementAndGet();
                return new PeerReply.Leased(new LeaseAnswer.Released(release.id()));
              } else {
                LeaseId id = lease.request().id();
                return new PeerReply.Leased(new LeaseAnswer.Granted(id, List.of(0, 1, 2), 1));
              }
            });
    opened.push(lender);

    Report report = Reports.report(LENDER, "life", 1, CHUNK, 40);
    assertThat(lender.other.ask(new PeerRequest.Desk(report), PeerRequest.Desk.class)).isNotNull();

    Until.holds(() -> releases.get() > 0);
    assertThat(borrowing.borrowedBytes()).isZero();
    try (LeaseLink link = borrowing.connect(1)) {
      assertThat(link.greet().holder()).startsWith("history ");
      LeaseId next = new LeaseId(borrowing.borrower(), 2, lender.lease.checkpoint(), 0);
      assertThatIOException()
          .isThrownBy(() -> link.acquire(new LeaseRequest.Acquire(next, 3)))
          .withMessage("another history lends there since it was greeted");
    }
  }

  /** A lender may need its memory before the borrower has its grant. */
  @Test
  void aBorrowerThatIsAskedEarlyAnswersOnceItListens() throws IOException {
    join(1);
    MachineLease lease = new MachineLease(rudeBorrower().other, new HashMap<>(), Runnable::run);
    CompletableFuture<Boolean> moved = lease.vacate().toCompletableFuture();
    assertThat(moved).isNotDone();

    lease.listen(() -> true, () -> {});

    assertThat(moved).isCompletedWithValue(true);
  }

  @Test
  void aClosedHistoryLeavesItsMemoryToTheBorrower() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 0);
    lendNine(borrowing, borrower).close();

    restore(borrower, 13);

    borrower.close();
    assertThat(borrowing.borrowedBytes()).isZero();
  }

  @Test
  void aProcessThatLeavesGetsItsMemoryBackFirst() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    History lender = lendNine(borrowing, borrower);
    MachinePeers lending = lending();
    lender.close();
    assertThat(lending.lentBytes()).isEqualTo(9L * STATE);

    lending.close();

    assertThat(lending.lentBytes()).isZero();
    assertThat(borrowing.borrowedBytes()).isZero();
    restore(borrower, 13);
    assertThat(borrower.stats().lost()).isZero();
  }

  /** The process that lends memory now. */
  private MachinePeers lending() {
    return opened.stream()
        .filter(MachinePeers.class::isInstance)
        .map(MachinePeers.class::cast)
        .filter(one -> one.lentBytes() > 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aBorrowerThatClosesGivesItsMemoryBack() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 0);
    History lender = lendNine(borrowing, borrower);
    MachinePeers lending = lending();

    borrower.close();

    Until.holds(() -> lending.lentBytes() == 0);
    store(lender, 0, 10);
    restore(lender, 10);
    assertThat(lender.stats().bytesDown()).isZero();
  }

  @Test
  void aSecuredStateLeavesTheMemoryOfOthers() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    lendNine(borrowing, borrower);

    for (long step = 0; step < 13; step++) {
      borrower.secure(step);
    }

    Until.holds(() -> place(borrower, "other processes' memory").bytes() == 0);
    Until.holds(() -> place(borrower, "files").bytes() == 13L * STATE);
    restore(borrower, 13);
  }

  @Test
  void onlyStatesThatLayAtADeadLenderAloneAreLost() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 0);
    DeviceMemory other = SharedMemoryDevice.open(directory, directory, 1 << 20);
    opened.addLast(other);
    MortalLender lender = new MortalLender(directory.resolve("peers"), other, 1);
    lender.live();
    borrower.expect(10, STATE);
    Until.holds(
        () -> {
          lender.report();
          return borrowing.borrowedBytes() == 6L * STATE;
        });
    store(borrower, 0, 10);
    for (long step = 9; step > 5; step--) {
      borrower.restore(step, true);
    }
    Until.holds(() -> borrower.stats().bytesUp() == 4L * STATE);

    boolean unused = lender.die();

    Until.holds(() -> borrower.stats().lost() > 0);
    assertThat(borrower.steps()).containsExactly(2, 3, 4, 5);
    assertThat(borrower.where(1)).isEmpty();
    for (long step = 5; step > 1; step--) {
      borrower.restore(step, true);
      assertThat(field).containsOnly((byte) (step + 1));
    }
    assertThatThrownBy(() -> borrower.restore(1, true))
        .isInstanceOf(HistoryException.class)
        .hasMessageStartingWith("step 1 is lost");
    store(borrower, 1, 2);
    borrower.restore(1, true);
    assertThatThrownBy(() -> borrower.restore(1, true)).hasMessage("step 1 is not stored");
    assertThat(borrower.stats().lost()).isEqualTo(2);
  }

  @Test
  void theProcessesNeedNoHome() throws IOException {
    String home = System.getProperty("user.home");
    System.setProperty("user.home", "/proc/none");
    try {
      MachinePeers borrowing = join(0);
      History borrower = open(borrowing, 0, 4, 100);
      lendNine(borrowing, borrower);
    } finally {
      System.setProperty("user.home", home);
    }
  }

  @Test
  void chunksOfOtherLengthsAreNotLent() throws IOException {
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    MachinePeers lending = join(1);
    DeviceMemory device = SharedMemoryDevice.open(directory, directory, 1 << 20);
    opened.addLast(device);
    HistorySettings settings =
        new HistorySettings(20L * STATE, 2 * CHUNK, directory.resolve("states-1"), 0);
    History other = History.open(HistoryPlaces.on(device).withPeers(lending), settings);
    opened.push(other);

    other.expect(1, STATE);
    borrower.expect(13, STATE);
    store(borrower, 0, 13);

    restore(borrower, 13);
    assertThat(lending.lentBytes()).isZero();
  }

  @Test
  void refusesAPlaceThatItCannotHave() throws IOException {
    MachinePeers peers = join(0);
    open(peers, 0, 4, 0);
    assertThatThrownBy(() -> open(peers, 1, 4, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("device 0 of " + directory.resolve("peers") + " has a history");
    assertThatIOException()
        .isThrownBy(() -> join(0))
        .withMessageContaining("belongs to another process");
    assertThatThrownBy(() -> join(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("device 2 of 2");
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
    assertThatIOException()
        .isThrownBy(() -> MachinePeers.join(open, FAST, 0))
        .withMessageContaining("is open to other users");
  }

  @Test
  void aPlaceIsFreeAgainAfterItsProcessLeft() throws IOException {
    join(0).close();
    MachinePeers borrowing = join(0);
    History borrower = open(borrowing, 0, 4, 100);
    lendNine(borrowing, borrower);
    restore(borrower, 13);
  }
}
