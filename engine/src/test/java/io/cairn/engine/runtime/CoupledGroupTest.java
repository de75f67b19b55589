package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that seal and go back together, each with a device and a node of its own. */
@Timeout(30)
class CoupledGroupTest {
  @TempDir Path root;

  private String resumeTo(Ranks ranks, int rank, Checkpointer checkpointer, long to) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    toy.run(checkpointer, report.id().iteration() + 1, to);
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, to));
    assertThat(ranks.cairn(rank).counters().count(Level.NODE, Outcome.Failed.class)).isZero();
    return report.id().label();
  }

  private void runTo(long to, int size) throws Exception {
    try (Ranks ranks = new Ranks(root, size)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, to);
          });
    }
  }

  @Test
  void allRanksResumeFromTheNewestThatAllHave() throws Exception {
    runTo(8, 3);
    try (Ranks ranks = new Ranks(root, 3)) {
      assertThat(ranks.each((rank, checkpointer) -> resumeTo(ranks, rank, checkpointer, 13)))
          .containsOnly("e1-i7");
    }
    try (Ranks ranks = new Ranks(root, 3)) {
      assertThat(ranks.each((rank, checkpointer) -> resumeTo(ranks, rank, checkpointer, 15)))
          .containsOnly("e2-i12");
    }
  }

  @Test
  void aCopyOfOneRankThatIsDamagedTakesAllRanksBackFurther() throws Exception {
    runTo(8, 2);
    Path newest =
        new Places(root.resolve("machine-1")).nodeOfStore().resolve("test/run/e000001-i0000000007");
    try (FileChannel file =
        FileChannel.open(newest.resolve("writer-r00001.chunks"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {42, 42, 42, 42}), 9000);
    }
    Files.move(
        new Places(root).store().resolve("test/run/e000001-i0000000007"), root.resolve("lost"));
    try (Ranks ranks = new Ranks(root, 2)) {
      assertThat(ranks.each((rank, checkpointer) -> resumeTo(ranks, rank, checkpointer, 12)))
          .containsOnly("e1-i6");
    }
  }

  @Test
  void aRankThatWaitsInVainLearnsWhichRanksAreMissing() throws Exception {
    try (CairnEngine cairn = new Places(root).open("joinTimeout", "50ms")) {
      assertThatThrownBy(() -> cairn.join("trio", 1, 3).close())
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("trio")
          .hasMessageContaining("1 of 3 ranks have joined")
          .hasMessageContaining("missing: ranks 0, 2");
    }
  }

  @Test
  void aLostNodeTakesAllRanksBackToTheStore() throws Exception {
    runTo(8, 2);
    Files.move(root.resolve("machine-0/node"), root.resolve("lost"));
    try (Ranks ranks = new Ranks(root, 2)) {
      assertThat(ranks.each((rank, checkpointer) -> resumeTo(ranks, rank, checkpointer, 12)))
          .containsOnly("e1-i7");
    }
  }

  /** Nothing of what was given up stays on the node of a rank that captured it all the same. */
  @Test
  void aCheckpointThatOneRankGivesUpIsGivenUpByAll() throws Exception {
    CountDownLatch ahead = new CountDownLatch(1);
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.cairn(1).observers().add(new GivenUp(4, ahead));
      List<Outcome> outcomes =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                boolean[] broken = {false};
                toy.protectBy(checkpointer);
                checkpointer.protect(Region.of("f", () -> fragile(broken[0]), bytes -> {}));
                toy.run(checkpointer, 0, 4);
                Outcome fourth = new Outcome.NotDue(Level.STORE);
                if (rank == 0) {
                  ahead.await();
                  fourth = toy.run(checkpointer, 4, 5).sealed(Level.STORE).get();
                } else {
                  broken[0] = true;
                  assertThatThrownBy(() -> checkpointer.checkpoint(4)).hasMessage("out of bytes");
                  broken[0] = false;
                }
                toy.run(checkpointer, 5, 13).sealed(Level.STORE).get();
                return fourth;
              });
      assertThat(outcomes.get(0)).isInstanceOf(Outcome.Failed.class);
      assertThat(outcomes.get(0).toString()).contains("rank 1").contains("out of bytes");
      ranks.cairn(0).close();
      assertThat(directories(ranks.at(0).nodeOfStore()))
          .containsExactly("e000001-i0000000010", "e000001-i0000000012");
    }
  }

  /** Coordinators send to rank 0 before rank 1: rank 0 has received what rank 1 receives. */
  private record GivenUp(long iteration, CountDownLatch received) implements Consumer<CairnEvent> {
    @Override
    public void accept(CairnEvent event) {
      if (event instanceof CairnEvent.Settled settled
          && settled.id().iteration() == iteration
          && settled.level() == Level.STORE) {
        received.countDown();
      }
    }
  }

  private static byte[] fragile(boolean broken) {
    if (broken) {
      throw new IllegalStateException("out of bytes");
    }
    return new byte[8];
  }

  @Test
  void aSkipOnOneRankSkipsTheIterationForAll() throws Exception {
    try (Ranks ranks = new Ranks(root, 2, "device.cacheSize", "28k")) {
      List<String> outcomes =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                if (rank == 1) {
                  checkpointer.protect(Region.of("more", new double[5000]));
                }
                CheckpointTicket ticket = toy.run(checkpointer, 0, 1);
                return ticket.sealed(Level.NODE).get().toString();
              });
      assertThat(outcomes)
          .allSatisfy(
              outcome -> assertThat(outcome).contains("Skipped").contains("rank 1: no room"));
    }
  }

  @Test
  void aRankThatJoinsAgainFencesTheOthersAndTheyMeetInTheNextEpoch() throws Exception {
    CyclicBarrier sealed = new CyclicBarrier(2);
    CountDownLatch gone = new CountDownLatch(1);
    try (Ranks ranks = new Ranks(root, 2)) {
      Future<String> dies =
          ranks.start(
              1,
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
                sealed.await();
                return "gone";
              });
      Future<String> survives =
          ranks.start(
              0,
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
                sealed.await();
                gone.await();
                assertThat(untilFenced(toy, checkpointer, 5)).contains("rank 1");
                RestoreReport report = checkpointer.restore().orElseThrow();
                toy.run(checkpointer, report.id().iteration() + 1, 9);
                assertThat(toy).isEqualTo(Ranks.undisturbed(0, 9));
                return report.id().label() + " in " + checkpointer.epoch();
              });
      Ranks.result(dies);
      Future<String> again =
          ranks.start(1, (r, c) -> resumeTo(ranks, r, c, 9) + " in " + c.epoch());
      gone.countDown();
      assertThat(Ranks.result(survives)).isEqualTo("e1-i4 in 2");
      assertThat(Ranks.result(again)).isEqualTo("e1-i4 in 2");
    }
  }

  /** Until the other rank is back, checkpoints without it fail; why it was fenced then. */
  private static String untilFenced(Toy toy, Checkpointer checkpointer, long from)
      throws Exception {
    for (long i = from; ; i++) {
      CheckpointTicket ticket = toy.run(checkpointer, i, i + 1);
      Outcome outcome = ticket.sealed(Level.DEVICE).get();
      ticket.sealed(Level.STORE).get(); // until then it may take room from the next ones
      if (outcome instanceof Outcome.Fenced fenced) {
        return fenced.reason();
      }
      assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    }
  }

  @Test
  void aRankThatGaveUpJoiningIsNoMember() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (CairnEngine cairn = new Places(root).open()) {
      AtomicReference<Thread> joining = new AtomicReference<>();
      Future<Checkpointer> first =
          threads.submit(
              () -> {
                joining.set(Thread.currentThread());
                return cairn.join("pair", 0, 2);
              });
      while (joining.get() == null || joining.get().getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      joining.get().interrupt();
      assertThatThrownBy(first::get).hasCauseInstanceOf(CancellationException.class);

      Future<Checkpointer> other = threads.submit(() -> cairn.join("pair", 1, 2));
      assertThatThrownBy(() -> other.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      Future<Checkpointer> again = threads.submit(() -> cairn.join("pair", 0, 2));

      assertThat(again.get(60, TimeUnit.SECONDS).epoch()).isEqualTo(1);
      assertThat(other.get(60, TimeUnit.SECONDS).epoch()).isEqualTo(1);
      again.get().close();
      other.get().close();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aRankThatCannotRestoreDoesNotLeaveTheOthersWaiting() throws Exception {
    runTo(5, 2);
    try (Ranks ranks = new Ranks(root, 2)) {
      List<String> refusals =
          ranks.each(
              (rank, checkpointer) -> {
                checkpointer.protect(Region.of("weights", new float[rank == 0 ? 5000 : 4000]));
                checkpointer.protect(Region.of("counter", () -> new byte[8], bytes -> {}));
                try {
                  return "restored " + checkpointer.restore();
                } catch (RestoreException e) {
                  return String.valueOf(e.getMessage());
                }
              });
      assertThat(refusals.get(0)).contains("rank 1 left");
      assertThat(refusals.get(1)).contains("weights").contains("16000");
    }
  }

  /** Its checkpoint can never seal, since the other rank captures none. */
  @Test
  void aCancelledRankDoesNotWaitWhenItCloses() throws Exception {
    try (Ranks ranks = new Ranks(root, 2, "closeTimeout", "1h")) {
      CountDownLatch over = new CountDownLatch(1);
      AtomicBoolean killed = new AtomicBoolean();
      ranks.cairn(0).interruption(() -> requireAlive(killed));
      Future<String> idle =
          ranks.start(
              1,
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                checkpointer.restore();
                over.await();
                return "idle";
              });
      Future<CheckpointTicket> cancelled =
          ranks.start(
              0,
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                CheckpointTicket ticket = toy.run(checkpointer, 0, 1);
                killed.set(true);
                assertThatThrownBy(() -> checkpointer.checkpoint(1)).hasMessage("task killed");
                return ticket;
              });
      CheckpointTicket ticket = Ranks.result(cancelled);
      assertThat(ticket.sealed(Level.STORE).get().toString()).contains("the rank was closed");
      over.countDown();
      assertThat(Ranks.result(idle)).isEqualTo("idle");
    }
  }

  private static void requireAlive(AtomicBoolean killed) {
    if (killed.get()) {
      throw new CancellationException("task killed");
    }
  }

  private static List<String> directories(Path node) throws IOException {
    try (Stream<Path> files = Files.list(node.resolve("test/run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("e0"))
          .sorted()
          .toList();
    }
  }
}
