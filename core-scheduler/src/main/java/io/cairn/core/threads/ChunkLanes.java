package io.cairn.core.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lets several threads work on the chunks of a checkpoint at once, each on chunks that follow each
 * other. The first lane is the calling thread. Stateless.
 */
public final class ChunkLanes {
  private ChunkLanes() {}

  /** Works on the chunks of one lane. */
  @FunctionalInterface
  public interface Work {
    /**
     * Works on the chunks from {@code first} to {@code end - 1}.
     *
     * @param lane from 0
     */
    void run(int lane, int first, int end) throws IOException;
  }

  /**
   * Works on all chunks, and returns when no lane is at work any more. An interruption does not end
   * the wait. The calling thread also does the work of lanes for which the system has no thread.
   *
   * @param lanes at least 1
   * @param chunks their number
   * @throws IOException from the first lane that failed, with the failures of the others
   *     suppressed; runtime exceptions likewise
   */
  public static void run(int lanes, int chunks, Work work) throws IOException {
    run(lanes, chunks, work, DaemonThreads.numbered("cairn-lane-"));
  }

  static void run(int lanes, int chunks, Work work, ThreadFactory factory) throws IOException {
    List<Lane> all = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      all.add(new Lane(lane, first(lane, lanes, chunks), first(lane + 1, lanes, chunks), work));
    }
    List<Thread> threads = new ArrayList<>();
    try {
      for (Lane lane : all.subList(1, lanes)) {
        Thread thread = factory.newThread(lane);
        if (!isStarted(thread)) {
          break;
        }
        threads.add(thread);
      }
      all.get(0).run();
      all.subList(1 + threads.size(), lanes).forEach(Lane::run);
    } finally {
      threads.forEach(ChunkLanes::join);
    }
    rethrow(all);
  }

  /** Without memory or a right for another thread, the JVM throws an error. */
  private static boolean isStarted(Thread thread) {
    try {
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static int first(int lane, int lanes, int chunks) {
    return (int) ((long) chunks * lane / lanes);
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void rethrow(List<Lane> lanes) throws IOException {
    Throwable first = null;
    for (Lane lane : lanes) {
      Throwable failure = lane.failure;
      if (first == null) {
        first = failure;
      } else if (failure != null) {
        first.addSuppressed(failure);
      }
    }
    if (first instanceof IOException e) {
      throw e;
    } else if (first instanceof RuntimeException e) {
      throw e;
    } else if (first instanceof Error e) {
      throw e;
    }
  }

  /** The part of one thread. */
  private static final class Lane implements Runnable {
    private final int number;
    private final int first;
    private final int end;
    private final Work work;
    private @Nullable Throwable failure;

    Lane(int number, int first, int end, Work work) {
      this.number = number;
      this.first = first;
      this.end = end;
      this.work = work;
    }

    @Override
    public void run() {
      try {
        work.run(number, first, end);
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
    }
  }
}
