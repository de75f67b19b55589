package io.cairn.examples.averaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.Cairn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.apache.spark.TaskContext;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.spark.api.TrainingHook;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Writes each minibatch that a worker trains into a file, and lets one attempt die in the midst of
 * its partition, after a checkpoint of it has reached STORE.
 */
final class WatchedWorkers implements TrainingHook {
  private static final long serialVersionUID = 1;

  /** The way in which an attempt dies. */
  enum Death {
    NEVER,
    EXCEPTION,
    EXIT
  }

  /** One minibatch that was trained. */
  record Trained(String training, long round, int partition, int attempt, int minibatch) {
    private static Trained parse(String line) {
      String[] fields = line.split(" ", -1);
      return new Trained(
          fields[0],
          Long.parseLong(fields[1]),
          Integer.parseInt(fields[2]),
          Integer.parseInt(fields[3]),
          Integer.parseInt(fields[4]));
    }

    private String line() {
      return String.format(
          Locale.ROOT, "%s %d %d %d %d%n", training, round, partition, attempt, minibatch);
    }
  }

  static final int DIES_IN_ROUND = 1;
  static final int DIES_IN_PARTITION = 1;

  /** Minibatches that the attempt has trained before. */
  static final int DIES_AFTER = 2;

  private final String training;
  private final long round;
  private final String file;
  private final Death death;
  private transient int trained;

  WatchedWorkers(String training, long round, Path file, Death death) {
    this.training = training;
    this.round = round;
    this.file = file.toString();
    this.death = death;
  }

  static List<Trained> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Trained::parse).toList();
  }

  @Override
  public void preUpdate(DataSet minibatch, Model model) {
    see();
  }

  @Override
  public void preUpdate(MultiDataSet minibatch, Model model) {
    see();
  }

  private void see() {
    TaskContext task = TaskContext.get();
    if (death != Death.NEVER
        && round == DIES_IN_ROUND
        && task.partitionId() == DIES_IN_PARTITION
        && task.attemptNumber() == 0
        && trained == DIES_AFTER) {
      die();
    }
    write(new Trained(training, round, task.partitionId(), task.attemptNumber(), trained++));
  }

  private void write(Trained one) {
    try {
      Files.write(
          Path.of(file),
          one.line().getBytes(UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void die() {
    String group = training + ".worker-" + DIES_IN_PARTITION;
    while (Cairn.current().stored(group).checkpoints().stream()
        .noneMatch(stored -> stored.id().iteration() == DIES_AFTER - 1)) {
      Thread.onSpinWait();
    }
    if (death == Death.EXIT) {
      Runtime.getRuntime().halt(1);
    }
    throw new IllegalStateException("a worker dies");
  }

  @Override
  public void postUpdate(DataSet minibatch, Model model) {
    // nothing is left to do
  }

  @Override
  public void postUpdate(MultiDataSet minibatch, Model model) {
    // nothing is left to do
  }
}
