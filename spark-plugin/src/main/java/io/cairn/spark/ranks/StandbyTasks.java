package io.cairn.spark.ranks;

import io.cairn.Cairn;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one executor that train ranks or wait, and their way to the desk in the driver. One
 * thread, {@code cairn-standby}, sends a sign of life while there are such tasks. Thread-safe; no
 * method waits.
 */
public final class StandbyTasks implements AutoCloseable {
  private static final String THREAD = "cairn-standby";

  /** Below the time for which a transport waits for an answer, so that one is always open. */
  private static final long SIGN_SECONDS = 4;

  private static final long AGAIN_MILLIS = 100;
  private static volatile @Nullable StandbyTasks current;

  /** For tasks of a process that has none of these. */
  private static volatile String absence =
      "this executor runs without Cairn: set spark.plugins to io.cairn.spark.CairnPlugin";

  /**
   * A task.
   *
   * @param since the sign of life from which on the desk speaks of its present rank
   * @param replaced whether another task trains that rank
   */
  private record Mine(long since, boolean replaced) {}

  private final String executor;
  private final String machine;
  private final Exchange exchange;
  private final Map<Long, Mine> tasks = new TreeMap<>();
  private final ScheduledExecutorService thread;
  private long signs;

  /**
   * Sends nothing before a task enters.
   *
   * @param exchange carries requests to the driver
   */
  public StandbyTasks(String executor, String machine, Exchange exchange) {
    this.executor = executor;
    this.machine = machine;
    this.exchange = exchange;
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(1, DaemonThreads.named(THREAD));
    one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    one.setRemoveOnCancelPolicy(true);
    var unused =
        one.scheduleWithFixedDelay(
            DaemonThreads.watched(THREAD, this::sign),
            SIGN_SECONDS,
            SIGN_SECONDS,
            TimeUnit.SECONDS);
    this.thread = one;
  }

  /** Makes these the tasks of this process. */
  public void install() {
    current = this;
  }

  /** From now on, tasks that need these receive this reason, unless others are installed. */
  public static void switchOff(String why) {
    absence = why;
    current = null;
  }

  /**
   * The tasks of this process; opens Cairn in an executor in which no rank has joined yet.
   *
   * @throws IllegalStateException if there are none, with the reason
   */
  public static StandbyTasks current() {
    if (current == null) {
      Cairn unused = Cairn.current();
    }
    StandbyTasks tasks = current;
    if (tasks == null) {
      throw new IllegalStateException(absence);
    }
    return tasks;
  }

  /**
   * Throws if the task of this thread trains a rank that another task trains now.
   *
   * @throws CancellationException to end the training
   */
  public static void requireOwn() {
    StandbyTasks tasks = current;
    TaskContext task = TaskContext.get();
    if (tasks != null && task != null && tasks.isReplaced(task.taskAttemptId())) {
      throw new CancellationException("another task has taken this rank over");
    }
  }

  /** A task begins to ask, or to train the rank that it was given. */
  public void enter(long task) {
    synchronized (this) {
      tasks.put(task, new Mine(signs + 1, false));
    }
    sign();
  }

  /** A task asks no more. */
  public synchronized void leave(long task) {
    tasks.remove(task);
  }

  /** Whether another task trains the rank of this one. */
  synchronized boolean isReplaced(long task) {
    Mine mine = tasks.get(task);
    return mine != null && mine.replaced();
  }

  /** A request of a task of this executor for a rank. */
  public CompletableFuture<StandbyReply> ask(String run, int partition, long task, boolean ready) {
    return send(new StandbyRequest.Ask(executor, machine, run, partition, task, ready));
  }

  /** A report of a result. */
  public CompletableFuture<StandbyReply> done(String run, long task, StandbyReply.Train work) {
    return send(new StandbyRequest.Done(executor, run, task, work.rank(), work.term()));
  }

  private CompletableFuture<StandbyReply> send(StandbyRequest request) {
    return exchange
        .ask(Wire.encode(request))
        .thenApply(bytes -> Wire.decode(bytes, StandbyReply.class))
        .toCompletableFuture();
  }

  /** Sends a sign of life, which ends the wait of the one before. */
  private void sign() {
    long number;
    CompletableFuture<StandbyReply> reply;
    synchronized (this) {
      List<Long> own =
          tasks.entrySet().stream()
              .filter(task -> !task.getValue().replaced())
              .map(Map.Entry::getKey)
              .toList();
      if (tasks.isEmpty()) {
        return;
      }
      number = ++signs;
      reply = send(new StandbyRequest.Alive(executor, number, own));
    }
    var unused = reply.whenComplete((answer, failure) -> answered(number, answer, failure));
  }

  private void answered(long number, @Nullable StandbyReply answer, @Nullable Throwable failure) {
    boolean again = failure != null;
    synchronized (this) {
      if (answer instanceof StandbyReply.Replaced replaced) {
        for (long task : replaced.replaced()) {
          again |= replace(number, task);
        }
      }
      again &= number == signs;
    }
    if (again && !thread.isShutdown()) {
      Runnable sign = DaemonThreads.watched(THREAD, this::sign);
      var unused = thread.schedule(sign, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private boolean replace(long number, long task) {
    Mine mine = tasks.get(task);
    if (mine == null || number < mine.since()) {
      return false;
    }
    tasks.put(task, new Mine(mine.since(), true));
    return true;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    if (current == this) {
      current = null;
    }
  }
}
