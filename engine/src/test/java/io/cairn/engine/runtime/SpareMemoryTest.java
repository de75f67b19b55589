package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.Until;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes without Spark that meet at an address, and lend each other device memory. A rank's
 * state takes six chunks, of which a tight cache holds three.
 */
@Timeout(240)
class SpareMemoryTest {
  private static final String[] TIGHT = settings("12k");
  private static final String[] ROOMY = settings("1m");

  @TempDir private Path root = Path.of("");

  private final List<AutoCloseable> opened = new ArrayList<>();
  private MeetingPort port;

  private static String[] settings(String cacheSize) {
    return new String[] {
      "device.cacheSize", cacheSize, "node.every", "1", "cairn.sharing.patience", "5s"
    };
  }

  @BeforeEach
  void choosePort() throws IOException {
    port = MeetingPort.free();
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private String[] at(String[] settings, String... more) {
    List<String> all = new ArrayList<>(List.of("coordinator", port.toString()));
    all.addAll(List.of(settings));
    all.addAll(List.of("store", root.resolve("store").toString()));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** In this process. */
  private CairnEngine open(String machine, String... settings) throws IOException {
    CairnEngine cairn = new Places(root.resolve(machine)).open(at(settings));
    opened.add(0, cairn);
    return cairn;
  }

  /** In a process of its own, which is open when this returns. */
  private ChildProcess spare(String machine, String... more) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(root.resolve(machine)));
    arguments.addAll(List.of(at(ROOMY, more)));
    ChildProcess process = started(SpareMemory.class, arguments);
    String unused = process.await("open");
    return process;
  }

  private ChildProcess started(Class<?> main, List<Object> arguments) throws IOException {
    ChildProcess process =
        Command.java(main, arguments.toArray()).small(64).errorsTo(root.resolve("errors")).start();
    opened.add(0, process);
    return process;
  }

  /** A rank of its own, and what became of its checkpoints at DEVICE. */
  private static final class Lone implements AutoCloseable {
    private final Checkpointer checkpointer;
    private final Toy toy = Ranks.toy(7);
    private final AtomicBoolean withdrawn = new AtomicBoolean();
    private long next;

    Lone(CairnEngine cairn) {
      cairn.addObserver(
          event -> {
            if (event instanceof CairnEvent.Withdrawn) {
              withdrawn.set(true);
            }
          });
      checkpointer = cairn.join("alone", 0, 1);
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();
    }

    /**
     * Trains on until a checkpoint is sealed at these levels; at DEVICE it is with its remainder.
     */
    void trainTo(Level... levels) {
      CheckpointTicket ticket;
      do {
        ticket = toy.run(checkpointer, next, next + 1);
        next++;
      } while (!isSealed(ticket, levels));
    }

    private static boolean isSealed(CheckpointTicket ticket, Level... levels) {
      return Stream.of(levels)
          .allMatch(level -> ticket.sealed(level).join() instanceof Outcome.Sealed);
    }

    /** Loses its state, and gets it back to the bit. */
    RestoreReport restored() {
      toy.step(1000);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(next - 1);
      assertThat(toy).isEqualTo(Ranks.undisturbed(7, next));
      return report;
    }

    @Override
    public void close() {
      checkpointer.close();
    }
  }

  private static int lent(CairnEngine cairn) {
    CacheUse use = cairn.cacheUse().toCompletableFuture().join();
    return use.leased() + use.quarantined();
  }

  @Test
  void theRemainderOfOneOfFourLiesAtTheOthersAndIsRestored() throws Exception {
    CyclicBarrier together = new CyclicBarrier(4);
    try (Ranks ranks = new Ranks(root, List.of(at(ROOMY), at(TIGHT), at(ROOMY), at(ROOMY)))) {
      List<Integer> lent =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                assertThat(checkpointer.restore()).isEmpty();
                long next = 0;
                Outcome outcome;
                do {
                  toy.step(next);
                  together.await();
                  outcome = checkpointer.checkpoint(next).sealed(Level.DEVICE).join();
                  next++;
                } while (!(outcome instanceof Outcome.Sealed));
                together.await();
                int lentNow = lent(ranks.cairn(rank));
                toy.step(1000);
                assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.DEVICE);
                assertThat(toy).isEqualTo(Ranks.undisturbed(rank, next));
                return lentNow;
              });
      assertThat(lent.get(1)).isZero();
      assertThat(lent.stream().mapToInt(slots -> slots).sum()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void afterTheDeathOfALenderTheNextRemainderGoesElsewhere() throws Exception {
    CairnEngine cairn = open("borrower", TIGHT);
    ChildProcess lender = spare("lender");
    try (Lone rank = new Lone(cairn)) {
      rank.trainTo(Level.DEVICE, Level.NODE);
      assertThat(rank.restored().level()).isEqualTo(Level.DEVICE);
      ChildProcess other = spare("other");

      lender.kill();
      Until.holds(rank.withdrawn::get);

      assertThat(rank.restored().level()).isEqualTo(Level.NODE);
      rank.trainTo(Level.DEVICE);
      assertThat(rank.restored().level()).isEqualTo(Level.DEVICE);
      assertThat(other.isAlive()).isTrue();
    }
  }

  @Test
  void theSlotsOfADeadBorrowerReturnAndAreLentAgain() throws Exception {
    CairnEngine lender = open("lender", settings("24k"));
    ChildProcess borrower = training();
    String unused = borrower.await("DEVICE ");
    Until.holds(() -> lent(lender) > 0);

    borrower.kill();

    Until.holds(() -> lent(lender) == 0);
    ChildProcess next = training();
    assertThat(next.await("from ")).endsWith(" in 2");
    unused = next.await("DEVICE ");
    Until.holds(() -> lent(lender) > 0);
  }

  private ChildProcess training() throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(root, 0, 1, port, 1_000_000));
    arguments.addAll(List.of(TIGHT));
    return started(GroupTraining.class, arguments);
  }

  /** Also where no node is served. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "device"})
  void theNextHostOfTheDeskLendsOn(String sharing) throws Exception {
    ChildProcess host = spare("host", "sharing", "node");
    port.awaitHost();
    List<String> borrowing = new ArrayList<>(List.of(TIGHT));
    borrowing.addAll(List.of("sharing", sharing));
    CairnEngine cairn = open("borrower", borrowing.toArray(String[]::new));
    ChildProcess lender = spare("lender", "sharing", sharing);
    try (Lone rank = new Lone(cairn)) {
      rank.trainTo(Level.DEVICE);

      host.kill();

      rank.trainTo(Level.NODE);
      port.awaitHost();
      rank.trainTo(Level.DEVICE);
      assertThat(rank.restored().level()).isEqualTo(Level.DEVICE);
      assertThat(lender.isAlive()).isTrue();
    }
  }

  /** As on another machine, where nothing proves whether it lives. */
  @Test
  void aLenderThatWasSuspendedLosesItsChunksAndLendsOn() throws Exception {
    List<String> others = addressesBesidesLoopback();
    assumeThat(others).as("addresses of this machine that make another one of it").isNotEmpty();
    CairnEngine cairn = open("borrower", TIGHT);
    ChildProcess lender = spare("lender", "network", others.get(0));
    try (Lone rank = new Lone(cairn)) {
      rank.trainTo(Level.DEVICE, Level.NODE);
      assertThat(rank.restored().level()).isEqualTo(Level.DEVICE);

      assertThat(ChildProcess.signal("STOP", lender.pid())).isTrue();
      Until.holds(rank.withdrawn::get);
      assertThat(rank.restored().level()).isEqualTo(Level.NODE);

      assertThat(ChildProcess.signal("CONT", lender.pid())).isTrue();
      rank.trainTo(Level.DEVICE);
      assertThat(rank.restored().level()).isEqualTo(Level.DEVICE);
    }
  }

  private static List<String> addressesBesidesLoopback() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .toList();
  }
}
