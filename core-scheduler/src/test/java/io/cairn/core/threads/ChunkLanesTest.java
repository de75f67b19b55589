package io.cairn.core.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ChunkLanesTest {
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 7", "3, 2", "4, 4", "3, 1000"})
  void eachChunkIsWorkedOnOnce(int lanes, int chunks) throws Exception {
    AtomicIntegerArray visits = new AtomicIntegerArray(chunks);

    ChunkLanes.run(
        lanes,
        chunks,
        (lane, first, end) -> IntStream.range(first, end).forEach(visits::incrementAndGet));

    assertThat(IntStream.range(0, chunks).map(visits::get)).allMatch(visited -> visited == 1);
  }

  @Test
  void eachLaneHasAThreadAndTheFirstIsTheCallers() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Thread[] byLane = new Thread[3];

    ChunkLanes.run(
        3,
        3,
        (lane, first, end) -> {
          byLane[lane] = Thread.currentThread();
          threads.add(Thread.currentThread());
        });

    assertThat(threads).hasSize(3);
    assertThat(byLane[0]).isSameAs(Thread.currentThread());
    assertThat(Arrays.stream(byLane)).noneMatch(one -> one != byLane[0] && one.isAlive());
  }

  /** A container of few processes limits threads, too. */
  @Test
  void lanesWithoutAThreadAreRunByTheCaller() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Thread[] byLane = new Thread[4];

    ChunkLanes.run(
        4,
        4,
        (lane, first, end) -> byLane[lane] = Thread.currentThread(),
        lane ->
            made.incrementAndGet() < 2
                ? new Thread(lane)
                : new Thread(lane) {
                  @Override
                  public synchronized void start() {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                });

    assertThat(byLane[1]).isNotNull().isNotSameAs(Thread.currentThread());
    assertThat(List.of(byLane[0], byLane[2], byLane[3])).containsOnly(Thread.currentThread());
  }

  /** The caller frees the memory that they write. */
  @Test
  void aLaneThatFailsWaitsForTheOthers() {
    CountDownLatch failed = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();

    assertThatIOException()
        .isThrownBy(
            () ->
                ChunkLanes.run(
                    2,
                    2,
                    (lane, first, end) -> {
                      if (lane == 0) {
                        failed.countDown();
                        throw new IOException("chunk 0 is lost");
                      }
                      awaitQuietly(failed);
                      ended.set(true);
                    }))
        .withMessage("chunk 0 is lost");

    assertThat(ended).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void failuresOfSeveralLanesAreOne() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                ChunkLanes.run(
                    3,
                    3,
                    (lane, first, end) -> {
                      throw new IllegalStateException("lane " + lane);
                    }))
        .withMessage("lane 0")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("lane 1", "lane 2"));
  }

  @Test
  void anInterruptionStaysVisible() throws Exception {
    AtomicInteger worked = new AtomicInteger();
    Thread.currentThread().interrupt();

    ChunkLanes.run(2, 2, (lane, first, end) -> worked.incrementAndGet());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(worked).hasValue(2);
  }
}
