package io.cairn.spark.ranks;

import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;

/**
 * The desk of standbys, in the driver: gives ranks to tasks, and the rank of a lost executor to a
 * task that waits. {@link StandbyBook} decides. Thread-safe; no method waits.
 */
public final class StandbyDesk implements AutoCloseable {
  /*
   * Signs of life
   *
   * An executor with such tasks keeps a question open, Alive, and sends the next one before the
   * desk answers the last. The transport cancels an open question when its connection ends, which
   * for a killed process takes milliseconds. Only the newest question of an executor counts, since
   * one that reconnected has another open. A task is given a rank only while its executor has one.
   *
   * What Spark says comes second: a machine that loses its power closes no connection.
   */

  private static final Logger LOG = LoggerFactory.getLogger(StandbyDesk.class);
  private static volatile @Nullable StandbyDesk current;

  /** A stage: its book, and the tasks whose question is open. */
  private record Stage(StandbyBook book, Map<Long, Held> asking) {}

  /** A question that is open. */
  private record Held(long number, List<Long> tasks, CompletableFuture<byte[]> answer) {
    void answer(StandbyReply reply) {
      answer.complete(Wire.encode(reply));
    }
  }

  private final Map<String, Stage> stages = new HashMap<>();

  /** The names of stages by the number of an RDD, and by Spark's number of the stage. */
  private final Map<Integer, String> ofRdds = new HashMap<>();

  private final Map<Integer, String> ofStages = new HashMap<>();

  /** The newest sign of each executor whose connection has not ended. */
  private final Map<String, Held> lives = new HashMap<>();

  private final int standbys;

  /** Of stages that have ended. */
  private long takeovers;

  /**
   * A desk without stages.
   *
   * @param standbys tasks of each stage beyond one per rank
   */
  public StandbyDesk(int standbys) {
    this.standbys = standbys;
  }

  /** Tasks of each stage beyond one per rank. */
  public int standbys() {
    return standbys;
  }

  /** How often a task took a rank over that another one had, in all stages so far. */
  public synchronized long takeovers() {
    return takeovers + stages.values().stream().mapToLong(stage -> stage.book().takeovers()).sum();
  }

  /** Tasks that wait to take a rank over, in all stages. */
  public synchronized int waiting() {
    return stages.values().stream().mapToInt(stage -> stage.book().waiting()).sum();
  }

  /** Makes this the desk of the driver's process. */
  public void install() {
    current = this;
  }

  /** Ends every stage, and all tasks that wait. */
  @Override
  public void close() {
    if (current == this) {
      current = null;
    }
    synchronized (this) {
      List.copyOf(stages.keySet()).forEach(this::end);
    }
  }

  /**
   * The desk of the driver's process.
   *
   * @throws IllegalStateException outside of a driver with the plugin
   */
  public static StandbyDesk current() {
    StandbyDesk desk = current;
    if (desk == null) {
      throw new IllegalStateException(
          "no desk of standbys in this process: set spark.plugins to io.cairn.spark.CairnPlugin,"
              + " and call this in the driver");
    }
    return desk;
  }

  /** Learns of tasks and executors from Spark. */
  public SparkListener listener() {
    return new SparkListener() {
      @Override
      public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
        StageInfo stage = submitted.stageInfo();
        List<Integer> rdds = new ArrayList<>();
        Iterator<RDDInfo> infos = stage.rddInfos().iterator();
        while (infos.hasNext()) {
          rdds.add(infos.next().id());
        }
        submitted(stage.stageId(), rdds);
      }

      @Override
      public void onTaskEnd(SparkListenerTaskEnd end) {
        ended(end.stageId(), end.taskInfo().taskId(), end.taskInfo().successful());
      }

      @Override
      public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        gone(removed.executorId());
      }
    };
  }

  /** Begins a stage; its name. */
  public synchronized String begin(int ranks) {
    String run = UUID.randomUUID().toString();
    stages.put(run, new Stage(new StandbyBook(ranks), new HashMap<>()));
    return run;
  }

  /** Spark runs the stage that has this RDD. The caller has submitted no job with it yet. */
  public synchronized void runs(String run, int rdd) {
    ofRdds.put(rdd, run);
  }

  /** Spark has submitted a stage, with these RDDs. */
  synchronized void submitted(int stage, List<Integer> rdds) {
    rdds.stream().filter(ofRdds::containsKey).forEach(rdd -> ofStages.put(stage, ofRdds.get(rdd)));
  }

  /** The number of ended tasks that are known; for tests. */
  synchronized int endedTasks() {
    return stages.values().stream().mapToInt(stage -> stage.book().endedTasks()).sum();
  }

  /** Ends a stage, and all tasks that wait in it. */
  public synchronized void end(String run) {
    Stage stage = stages.remove(run);
    ofRdds.values().removeIf(run::equals);
    ofStages.values().removeIf(run::equals);
    if (stage != null) {
      takeovers += stage.book().takeovers();
      stage.asking().values().forEach(held -> held.answer(new StandbyReply.End()));
    }
  }

  /**
   * Answers an executor; see {@link StandbyRequest}.
   *
   * @return a {@link StandbyReply}; a cancelled stage ends the executor's connection
   */
  public synchronized CompletionStage<byte[]> answer(StandbyRequest request) {
    if (request instanceof StandbyRequest.Alive alive) {
      return alive(alive);
    } else if (request instanceof StandbyRequest.Ask ask) {
      return ask(ask);
    } else if (request instanceof StandbyRequest.Done done) {
      return answered(new StandbyReply.Counted(counts(done)));
    }
    throw new IllegalArgumentException("no known request: " + request);
  }

  private static CompletableFuture<byte[]> answered(StandbyReply reply) {
    return CompletableFuture.completedFuture(Wire.encode(reply));
  }

  private CompletableFuture<byte[]> alive(StandbyRequest.Alive alive) {
    Held before = lives.get(alive.executor());
    if (before != null && before.number() >= alive.number()) {
      return answered(new StandbyReply.Replaced(List.of())); // late
    }
    Held sign = new Held(alive.number(), alive.tasks(), new CompletableFuture<>());
    lives.put(alive.executor(), sign);
    if (before != null) {
      before.answer(new StandbyReply.Replaced(List.of()));
    }
    stages.values().forEach(stage -> stage.book().alive(alive.executor(), alive.tasks()));
    tellReplaced(sign);
    // runs on the transport's thread, when the connection has ended
    var unused =
        sign.answer()
            .whenComplete(
                (reply, end) -> {
                  if (end != null) {
                    lost(alive.executor(), sign);
                  }
                });
    return sign.answer();
  }

  /** Answers a sign of life if one of its tasks has lost its rank. */
  private void tellReplaced(Held sign) {
    List<Long> replaced =
        stages.values().stream()
            .flatMap(stage -> stage.book().replaced(sign.tasks()).stream())
            .toList();
    if (!replaced.isEmpty()) {
      sign.answer(new StandbyReply.Replaced(replaced));
    }
  }

  private synchronized void lost(String executor, Held sign) {
    Held newest = lives.get(executor);
    if (newest != null && newest.number() == sign.number()) {
      gone(executor);
    }
  }

  private CompletableFuture<byte[]> ask(StandbyRequest.Ask ask) {
    Stage stage = stages.get(ask.run());
    if (stage == null) {
      return answered(new StandbyReply.End());
    } else if (!lives.containsKey(ask.executor())) {
      return answered(new StandbyReply.Wait());
    }
    Held before = stage.asking().remove(ask.task());
    if (before != null) {
      before.answer(new StandbyReply.Wait());
    }
    Seat seat = new Seat(ask.task(), ask.partition(), ask.executor(), ask.machine());
    StandbyReply reply = stage.book().ask(seat, ask.ready());
    if (reply instanceof StandbyReply.Train work) {
      tellTaken(seat, work);
    }
    if (!(reply instanceof StandbyReply.Wait) || !ask.ready()) {
      return answered(reply);
    }
    Held held = new Held(0, List.of(), new CompletableFuture<>());
    stage.asking().put(ask.task(), held);
    return held.answer();
  }

  private boolean counts(StandbyRequest.Done done) {
    Stage stage = stages.get(done.run());
    boolean counts = stage != null && stage.book().done(done.task(), done.rank(), done.term());
    if (counts && stage != null && stage.book().isDone()) {
      stage.asking().values().forEach(held -> held.answer(new StandbyReply.End()));
      stage.asking().clear();
    }
    return counts;
  }

  /** The connection of an executor has ended, or Spark has removed it. */
  synchronized void gone(String executor) {
    lives.remove(executor);
    for (Stage stage : stages.values()) {
      order(stage, stage.book().gone(executor));
    }
  }

  /** Spark says that a task has ended. */
  synchronized void ended(int ofStage, long task, boolean succeeded) {
    String run = ofStages.get(ofStage);
    Stage stage = run == null ? null : stages.get(run);
    if (stage != null) {
      stage.asking().remove(task);
      order(stage, stage.book().ended(task, succeeded));
    }
  }

  private void order(Stage stage, List<StandbyBook.Order> orders) {
    for (StandbyBook.Order order : orders) {
      LOG.info("Standby task {} takes over rank {}", order.task(), order.work().rank());
      Held held = stage.asking().remove(order.task());
      if (held != null) {
        held.answer(order.work()); // otherwise its next question has this answer
      }
    }
    if (!orders.isEmpty()) {
      List.copyOf(lives.values()).forEach(this::tellReplaced);
    }
  }

  /** A task was given a rank by its own question; the task before may live. */
  private void tellTaken(Seat seat, StandbyReply.Train work) {
    if (work.term() > 1) {
      LOG.info("Task {} takes over rank {}", seat.task(), work.rank());
      List.copyOf(lives.values()).forEach(this::tellReplaced);
    }
  }
}
