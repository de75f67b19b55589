package io.cairn.spark.ranks;

import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stage of ranks on executors that die, hang and lose their connections, around the real desk.
 * Spark, executors, tasks and epochs are simulated in one thread, in an order that follows from a
 * seed. Throws {@link AssertionError} where a rule is broken.
 */
final class SimulatedStage {
  private static final int LEAST_EXECUTORS = 2;

  private enum Step {
    ASK,
    TRAIN,
    REPORT,
    DELIVER,
    END
  }

  private static final class Executor {
    final String name;
    final Set<CompletableFuture<byte[]>> open = new HashSet<>();
    final Set<Task> tasks = new HashSet<>();
    long signs;

    /** Whether the desk has heard of no end of its connection since its last sign. */
    boolean connected;

    /** Ends of its connection so far. */
    int ends;

    Executor(String name) {
      this.name = name;
    }
  }

  private static final class Task {
    final long id;
    final int partition;
    final Executor executor;
    Step step = Step.ASK;
    boolean ready;
    @Nullable CompletableFuture<byte[]> reply;
    int rank;
    long term;
    long epoch;

    /** Whether the connection never ended since the task was given its rank. */
    boolean steady;

    /** Ends of the executor's connection when the task asked. */
    int endsBefore;

    Task(long id, int partition, Executor executor) {
      this.id = id;
      this.partition = partition;
      this.executor = executor;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "task %d (partition %d on %s): %s, rank %d, term %d, epoch %d",
          id,
          partition,
          executor.name,
          step,
          rank,
          term,
          epoch);
    }
  }

  private final SplittableRandom random;
  private static final int STAGE = 3;

  private final StandbyDesk desk = new StandbyDesk(0);
  private final int ranks;
  private final String run;
  private final List<Integer> pending = new ArrayList<>();
  private final List<Executor> executors = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();

  /** Tasks of dead executors of which Spark has not heard yet. */
  private final List<Task> lost = new ArrayList<>();

  private final Map<Integer, Integer> partitionsThatDelivered = new HashMap<>();
  private final long[] epochs;
  private int succeeded;
  private final int partitions;
  private long ids;
  private int executorNames;
  private boolean faults = true;

  SimulatedStage(long seed) {
    random = new SplittableRandom(seed);
    ranks = random.nextInt(1, 5);
    partitions = ranks + random.nextInt(0, 4);
    epochs = new long[ranks];
    run = desk.begin(ranks);
    desk.runs(run, 0);
    desk.submitted(STAGE, List.of(0));
    for (int partition = 0; partition < partitions; partition++) {
      pending.add(partition);
    }
    int slots = random.nextInt(LEAST_EXECUTORS, partitions + 3);
    for (int i = 0; i < slots; i++) {
      executors.add(new Executor("e" + executorNames++));
    }
  }

  /** Runs with faults, then without any until the stage has ended. */
  void run(int faultySteps, int quietSteps) {
    for (int i = 0; i < faultySteps && succeeded < partitions; i++) {
      step();
    }
    faults = false;
    for (int i = 0; i < quietSteps && succeeded < partitions; i++) {
      step();
    }
    require(succeeded == partitions, "the stage does not end: " + tasks + ", pending " + pending);
    require(partitionsThatDelivered.size() == ranks, "ranks without a result");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private void step() {
    switch (random.nextInt(faults ? 12 : 8)) {
      case 0 -> start();
      case 1 -> sparkHears();
      case 2 -> sign(executors.get(random.nextInt(executors.size())));
      case 8 -> kill();
      case 9 -> glitch(executors.get(random.nextInt(executors.size())));
      case 10 -> failBody();
      case 11 -> loseDelivery();
      default -> move();
    }
  }

  /** Spark starts a pending partition on a free executor, or a new executor. */
  private void start() {
    Executor executor = executors.get(random.nextInt(executors.size()));
    if (pending.isEmpty() || executor.tasks.size() > random.nextInt(2)) {
      return;
    }
    Task task = new Task(ids++, pending.remove(random.nextInt(pending.size())), executor);
    tasks.add(task);
    executor.tasks.add(task);
    sign(executor);
  }

  private CompletableFuture<byte[]> send(Executor executor, StandbyRequest request) {
    if (faults && random.nextInt(10) == 0) {
      return CompletableFuture.failedFuture(new java.io.IOException("lost request"));
    }
    CompletableFuture<byte[]> answer = desk.answer(request).toCompletableFuture();
    executor.open.add(answer);
    return faults && random.nextInt(10) == 0 ? new CompletableFuture<>() : answer;
  }

  private void sign(Executor executor) {
    if (!executor.tasks.isEmpty()) {
      List<Long> ids = executor.tasks.stream().map(task -> task.id).toList();
      int open = executor.open.size();
      var unused = send(executor, new StandbyRequest.Alive(executor.name, ++executor.signs, ids));
      executor.connected |= executor.open.size() > open;
    }
  }

  private void kill() {
    Executor dead = executors.remove(random.nextInt(executors.size()));
    lost.addAll(dead.tasks);
    tasks.removeAll(dead.tasks);
    if (random.nextInt(4) > 0) {
      end(dead); // otherwise the machine lost its power, and only Spark notices
    }
    executors.add(new Executor("e" + executorNames++));
  }

  private void glitch(Executor executor) {
    executor.tasks.forEach(task -> task.steady = false);
    end(executor);
  }

  private static void end(Executor executor) {
    executor.connected = false;
    executor.ends++;
    List.copyOf(executor.open).forEach(open -> open.cancel(false));
    executor.open.clear();
  }

  /** Spark hears of a lost task, and has its partition to start again. */
  private void sparkHears() {
    if (!lost.isEmpty()) {
      Task task = lost.remove(random.nextInt(lost.size()));
      desk.gone(task.executor.name);
      if (random.nextBoolean()) {
        pending.add(task.partition); // its task may ask before the desk hears
        start();
        sayEnded(task, false);
      } else {
        sayEnded(task, false);
        pending.add(task.partition);
      }
    }
  }

  /** Spark's bus drops events while it is full. */
  private void sayEnded(Task task, boolean successful) {
    if (!faults || random.nextInt(8) > 0) {
      desk.ended(STAGE, task.id, successful);
    }
  }

  private void failBody() {
    List<Task> training = tasks.stream().filter(task -> task.step == Step.TRAIN).toList();
    if (!training.isEmpty()) {
      fail(training.get(random.nextInt(training.size())));
    }
  }

  private void fail(Task task) {
    remove(task);
    sayEnded(task, false);
    pending.add(task.partition);
  }

  private void remove(Task task) {
    tasks.remove(task);
    task.executor.tasks.remove(task);
  }

  /** The executor dies with a result that Spark has not fetched. */
  private void loseDelivery() {
    tasks.stream().filter(task -> task.step == Step.DELIVER).findFirst().ifPresent(this::fail);
  }

  private void move() {
    if (tasks.isEmpty()) {
      start();
      return;
    }
    Task task = tasks.get(random.nextInt(tasks.size()));
    switch (task.step) {
      case ASK -> ask(task);
      case TRAIN -> train(task);
      case REPORT -> report(task);
      case DELIVER -> deliver(task);
      case END -> succeed(task);
    }
  }

  private void ask(Task task) {
    CompletableFuture<byte[]> reply = task.reply;
    if (reply == null || !isAnswered(reply)) {
      task.endsBefore = task.executor.ends;
      task.reply =
          send(
              task.executor,
              new StandbyRequest.Ask(
                  task.executor.name, "m", run, task.partition, task.id, task.ready));
      return;
    }
    task.reply = null;
    StandbyReply answer = Wire.decode(reply.join(), StandbyReply.class);
    if (answer instanceof StandbyReply.Train train) {
      begin(task, train);
    } else if (answer instanceof StandbyReply.End) {
      task.step = Step.END;
    } else {
      task.ready = true;
    }
  }

  private static boolean isAnswered(CompletableFuture<byte[]> reply) {
    return reply.isDone() && !reply.isCompletedExceptionally();
  }

  /** The task joins the rank's group, which takes the next epoch. */
  private void begin(Task task, StandbyReply.Train train) {
    for (Task other : tasks) {
      boolean trains = other.step == Step.TRAIN && other.rank == train.rank();
      require(
          !trains || other == task || !other.steady || other.term >= train.term(),
          task + " takes the rank of " + other + ", which lives and is connected");
    }
    task.step = Step.TRAIN;
    task.rank = train.rank();
    task.term = train.term();
    task.epoch = ++epochs[train.rank()];
    task.steady = task.executor.connected && task.endsBefore == task.executor.ends;
  }

  /** It ends with a result, also if it has not noticed that it is fenced, or it notices. */
  private void train(Task task) {
    boolean isFenced = task.epoch < epochs[task.rank];
    if (isFenced && random.nextBoolean()) {
      noticed(task);
    } else if (random.nextInt(faults ? 8 : 2) == 0) {
      task.step = Step.REPORT;
    }
  }

  /** As the real task: the desk says whether another one trains the rank. */
  private void noticed(Task task) {
    CompletableFuture<byte[]> reply =
        send(
            task.executor,
            new StandbyRequest.Ask(task.executor.name, "m", run, task.partition, task.id, false));
    if (!isAnswered(reply)) {
      return;
    }
    StandbyReply answer = Wire.decode(reply.join(), StandbyReply.class);
    if (answer instanceof StandbyReply.Train own && own.rank() == task.rank) {
      fail(task);
    } else {
      task.step = Step.ASK;
      task.ready = false;
      task.reply = reply;
    }
  }

  private void report(Task task) {
    CompletableFuture<byte[]> reply =
        send(
            task.executor,
            new StandbyRequest.Done(task.executor.name, run, task.id, task.rank, task.term));
    if (isAnswered(reply)) {
      boolean counts =
          Wire.decode(reply.join(), StandbyReply.class) instanceof StandbyReply.Counted counted
              && counted.counts();
      task.step = counts ? Step.DELIVER : Step.ASK;
      task.reply = null;
      task.ready = false;
    }
  }

  private void deliver(Task task) {
    Integer other = partitionsThatDelivered.put(task.rank, task.partition);
    require(other == null, "rank " + task.rank + " is delivered twice, the second time by " + task);
    succeed(task);
  }

  private void succeed(Task task) {
    remove(task);
    succeeded++;
    sayEnded(task, true);
  }
}
