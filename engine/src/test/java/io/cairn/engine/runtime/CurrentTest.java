package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The instance that a process finds with {@link Cairn#current()}. */
@Timeout(120)
class CurrentTest {
  @TempDir Path root;

  @AfterEach
  void reset() {
    ProcessInstance.openOnDemand(null);
  }

  @Test
  void theInstanceIsOpenedOnDemandAndOnce() throws Exception {
    ProcessInstance.openOnDemand(() -> new Places(root).open());

    try (Cairn cairn = Cairn.current()) {
      assertThat(Cairn.current()).isSameAs(cairn);
    }
    try (Cairn next = Cairn.current();
        Checkpointer checkpointer = next.join("next")) {
      assertThat(checkpointer.member().group().job()).isEqualTo("test");
    }
  }

  @Test
  void anInstalledInstanceComesFirst() throws Exception {
    try (CairnEngine installed = new Places(root).open()) {
      installed.install();
      ProcessInstance.openOnDemand(
          () -> {
            throw new IOException("not needed");
          });

      assertThat(Cairn.current()).isSameAs(installed);
    }
  }

  @Test
  void anInstanceOpenedBeforeTheSettingsWereKnownIsNotReturned() throws Exception {
    ProcessInstance.openOnDemand(
        () -> new Places(Files.createDirectory(root.resolve("first"))).open());

    try (Cairn before = Cairn.current()) {
      ProcessInstance.openOnDemand(
          () -> new Places(Files.createDirectory(root.resolve("second"))).open());
      try (Cairn after = Cairn.current()) {
        assertThat(after).isNotSameAs(before);
        assertThat(Cairn.current()).isSameAs(after);
      }
    }
  }

  /** A store that hangs, until this is interrupted or the test ends. */
  private final class Hanging implements CairnEngine.Opening {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CompletableFuture<CairnEngine> late = new CompletableFuture<>();

    @Override
    public CairnEngine open() throws IOException {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        CairnEngine cairn = new Places(Files.createDirectory(root.resolve("late"))).open();
        late.complete(cairn);
        return cairn;
      }
      throw new IOException("the test has ended");
    }

    CompletableFuture<Cairn> current() throws InterruptedException {
      CompletableFuture<Cairn> current = CompletableFuture.supplyAsync(Cairn::current);
      begun.await();
      return current;
    }
  }

  /** Such as the end of a Spark application. */
  @Test
  void noEndWaitsForAnOpeningThatHangs() throws Exception {
    Hanging hanging = new Hanging();
    ProcessInstance.openOnDemand(hanging);
    CompletableFuture<Cairn> current = hanging.current();
    try {
      assertThat(CompletableFuture.runAsync(() -> ProcessInstance.openOnDemand(null)))
          .succeedsWithin(Duration.ofMinutes(1));

      assertThat(current)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(IllegalStateException.class)
          .withMessageContaining("it ended while it was opened");
      assertThat(hanging.late).succeedsWithin(Duration.ofMinutes(1));
      while (hasArena(root.resolve("late"))) {
        Thread.onSpinWait();
      }
    } finally {
      hanging.end.countDown();
    }
  }

  /** Closing removes it. */
  private static boolean hasArena(Path places) throws IOException {
    try (Stream<Path> arenas = Files.list(places.resolve("device/arenas"))) {
      return arenas.findAny().isPresent();
    }
  }

  @Test
  void aThreadThatWaitsGoesOnWithTheNextOpening() throws Exception {
    Hanging hanging = new Hanging();
    ProcessInstance.openOnDemand(hanging);
    CompletableFuture<Cairn> current = hanging.current();
    try {
      assertThat(
              CompletableFuture.runAsync(
                  () -> ProcessInstance.openOnDemand(() -> new Places(root).open())))
          .succeedsWithin(Duration.ofMinutes(1));
      try (Cairn cairn = current.get(1, TimeUnit.MINUTES)) {
        assertThat(Cairn.current()).isSameAs(cairn).isNotSameAs(hanging.late.join());
      }
    } finally {
      hanging.end.countDown();
    }
  }

  /** Spark interrupts no task that it kills. */
  @Test
  void aThreadThatIsCancelledDoesNotWait() throws Exception {
    Hanging hanging = new Hanging();
    AtomicBoolean cancelled = new AtomicBoolean();
    ProcessInstance.openOnDemand(
        hanging,
        () -> {
          if (cancelled.get()) {
            throw new CancellationException("the task was killed");
          }
        });
    List<CompletableFuture<Cairn>> waiting = List.of(hanging.current(), hanging.current());
    try {
      cancelled.set(true);

      for (CompletableFuture<Cairn> each : waiting) {
        assertThat(each)
            .failsWithin(Duration.ofMinutes(1))
            .withThrowableThat()
            .havingRootCause()
            .withMessage("the task was killed");
      }
      assertThat(hanging.late).isNotDone();
    } finally {
      hanging.end.countDown();
    }
  }

  @Test
  void anInstanceThatIsInstalledMeanwhileComesFirst() throws Exception {
    CountDownLatch installed = new CountDownLatch(1);
    CompletableFuture<CairnEngine> late = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    ProcessInstance.openOnDemand(
        () -> {
          begun.countDown();
          awaitQuietly(installed);
          late.complete(new Places(Files.createDirectory(root.resolve("late"))).open());
          return late.join();
        });
    CompletableFuture<Cairn> current = CompletableFuture.supplyAsync(Cairn::current);
    begun.await();

    try (CairnEngine own = new Places(Files.createDirectory(root.resolve("own"))).open()) {
      own.install();
      installed.countDown();
      assertThat(current.get(1, TimeUnit.MINUTES)).isSameAs(own);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Ranks that joined before an application's settings were known train elsewhere. */
  @Test
  void ranksThatJoinedBeforeAreToldOfTheSettingsAndNotOfTheEnd() throws Exception {
    boolean unused = ProcessInstance.openBy(() -> new Places(root).open(), () -> {});
    try (Cairn before = Cairn.current()) {
      assertThat(ProcessInstance.openBy(() -> new Places(root).open(), () -> {})).isTrue();
      assertThat(before).isNotNull();
    }
    try (Cairn own = Cairn.current()) {
      assertThat(ProcessInstance.openBy(null, () -> {})).isFalse();
      assertThat(own).isNotNull();
    }
  }

  @Test
  void aFailureToOpenHasItsReason() {
    ProcessInstance.openOnDemand(
        () -> {
          throw new IOException("no such store");
        });

    assertThatThrownBy(Cairn::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no such store");
  }
}
