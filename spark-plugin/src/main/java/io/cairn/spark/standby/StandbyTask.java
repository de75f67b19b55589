package io.cairn.spark.standby;

import io.cairn.core.wire.StandbyReply;
import io.cairn.spark.ranks.StandbyTasks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** One task of a stage of ranks: trains ranks, or waits for one, until it delivers a result. */
final class StandbyTask<R> {
  private static final Logger LOG = LoggerFactory.getLogger(StandbyTask.class);
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long POLL_MILLIS = 100;

  private final StandbyTasks tasks;
  private final TaskContext context;
  private final String run;
  private final int partition;
  private final RankBody<R> body;

  /** When the driver answered last; the transport's threads write it. */
  private volatile long heardNanos;

  private boolean warm;

  private StandbyTask(
      StandbyTasks tasks, TaskContext context, String run, int partition, RankBody<R> body) {
    this.tasks = tasks;
    this.context = context;
    this.run = run;
    this.partition = partition;
    this.body = body;
  }

  /** The task that runs on this thread. */
  static <R> StandbyTask<R> of(String run, int partition, RankBody<R> body) {
    return new StandbyTask<>(StandbyTasks.current(), TaskContext.get(), run, partition, body);
  }

  private long task() {
    return context.taskAttemptId();
  }

  /**
   * Runs the task.
   *
   * @return the rank that it delivers, with its result; empty if other tasks deliver all of them
   * @throws Exception of the body, if no other task trains its rank
   * @throws TaskKilledException if Spark killed the task
   */
  List<Tuple2<Integer, R>> call() throws Exception {
    tasks.enter(task());
    try {
      StandbyReply reply = ask(false);
      while (!(reply instanceof StandbyReply.End)) {
        if (!(reply instanceof StandbyReply.Train work)) {
          reply = await();
          continue;
        }
        tasks.enter(task());
        R result;
        try {
          result = body.train(work.rank());
        } catch (Exception e) {
          reply = afterFailure(work.rank(), e);
          continue;
        }
        if (counts(work)) {
          return List.of(new Tuple2<>(work.rank(), result));
        }
        LOG.info("The result of rank {} here is dropped: another task trains it", work.rank());
        reply = ask(false);
      }
      return List.of();
    } finally {
      tasks.leave(task());
    }
  }

  /** Waits for a rank, with everything loaded. */
  private StandbyReply await() throws Exception {
    if (warm) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS); // the desk has no sign of this executor yet
    } else {
      body.warm();
      warm = true;
    }
    return ask(true);
  }

  /** The body of a rank that another task trains has failed in order. */
  private StandbyReply afterFailure(int rank, Exception failure) throws Exception {
    StandbyReply next = askAfter(failure);
    if (next instanceof StandbyReply.Train own && own.rank() == rank) {
      throw failure;
    }
    LOG.info("Rank {} has ended here: another task trains it", rank, failure);
    return next;
  }

  private StandbyReply askAfter(Exception failure) throws InterruptedException {
    try {
      requireAlive();
      return ask(false);
    } catch (InterruptedException | RuntimeException e) {
      e.addSuppressed(failure); // likely the reason of both
      throw e;
    }
  }

  private StandbyReply ask(boolean ready) throws InterruptedException {
    return answer(() -> tasks.ask(run, partition, task(), ready));
  }

  private boolean counts(StandbyReply.Train work) throws InterruptedException {
    return answer(() -> tasks.done(run, task(), work)) instanceof StandbyReply.Counted counted
        && counted.counts();
  }

  /** Asks until there is an answer; a repeated question has the same one. */
  private StandbyReply answer(Supplier<CompletableFuture<StandbyReply>> question)
      throws InterruptedException {
    heardNanos = System.nanoTime();
    while (System.nanoTime() - heardNanos < PATIENCE_NANOS) {
      CompletableFuture<StandbyReply> reply = question.get();
      var unused = reply.thenRun(() -> heardNanos = System.nanoTime());
      StandbyReply known = poll(reply);
      if (known != null) {
        return known;
      }
    }
    throw new IllegalStateException(
        "the driver has not answered partition " + partition + " of ranks for two minutes");
  }

  private @Nullable StandbyReply poll(CompletableFuture<StandbyReply> reply)
      throws InterruptedException {
    long end = System.nanoTime() + ASK_AGAIN_NANOS;
    while (System.nanoTime() < end) {
      requireAlive();
      try {
        return reply.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        LOG.trace("No answer of the driver yet", e);
      } catch (ExecutionException e) {
        LOG.debug("The driver was not reached", e);
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        return null;
      }
    }
    return null;
  }

  private void requireAlive() {
    if (context.isInterrupted()) {
      throw new TaskKilledException("killed");
    }
  }
}
