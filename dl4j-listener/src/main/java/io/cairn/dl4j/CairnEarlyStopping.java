package io.cairn.dl4j;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.StoppingHistory.Best;
import io.cairn.dl4j.StoppingHistory.End;
import io.cairn.dl4j.TrainingState.RandomState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.IterationTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DL4J's early stopping, which is checkpointed after every minibatch and resumes exactly:
 *
 * <pre>{@code
 * try (var saver = CairnModelSaver.<MultiLayerNetwork>ofLowest(directory);
 *     var run = CairnEarlyStopping.resume(configuration(saver), model, iterator, "digits")) {
 *   EarlyStoppingResult<MultiLayerNetwork> result = run.fit();
 * }
 * }</pre>
 *
 * <p>The program builds configuration, model and iterator the same way at every start. The training
 * is a {@link CairnTraining}, whose checkpoints also hold the score of every evaluated epoch. A
 * restore replays these scores to the conditions. So the training ends with the same epochs, scores
 * and reason, the same best epoch and the same best network, bit for bit, as without interruption.
 * An ended training is not trained again, unless the present conditions would not have ended it
 * there. Those on epochs are asked with the saved scores. One on iterations is the same if its
 * {@code toString()} is, which DL4J's have with their bounds.
 *
 * <h2>Differences from DL4J's trainer</h2>
 *
 * <p>The iterator is not reset before the first epoch. Evaluations and savers leave the training
 * thread's random generator as it was. Epochs are evaluated after the last minibatch, before {@code
 * onEpochEnd}. An exception reaches the caller instead of a result. The model saver must outlive
 * the process, so {@code InMemoryModelSaver} is refused. {@code
 * MaxTimeIterationTerminationCondition} counts its time from each start. A condition on iterations
 * of the program's own starts anew with each process.
 *
 * <p>Not thread-safe: one thread calls all methods.
 *
 * @param <T> {@code MultiLayerNetwork} or {@code ComputationGraph}
 */
public final class CairnEarlyStopping<T extends Model> implements AutoCloseable {
  /** The region of the scores. */
  static final String REGION = "early-stopping";

  private static final Logger LOG = LoggerFactory.getLogger(CairnEarlyStopping.class);
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+$");

  private final EarlyStoppingConfiguration<T> configuration;
  private final EarlyStoppingModelSaver<T> saver;
  private final ScoreCalculator<T> calculator;
  private final T model;
  private final CairnTraining training;
  private StoppingHistory history = StoppingHistory.NONE;

  private CairnEarlyStopping(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      Checkpointer checkpointer,
      Supplier<CairnTraining> resume) {
    configuration.validate();
    this.configuration = configuration;
    this.saver = configuration.getModelSaver();
    this.calculator = configuration.getScoreCalculator();
    this.model = model;
    if (saver instanceof InMemoryModelSaver) {
      throw new IllegalArgumentException(
          "an InMemoryModelSaver loses the best network with the process: give the configuration a"
              + " CairnModelSaver, or another one that writes files");
    }
    initialize();
    checkpointer.protect(Region.of(REGION, () -> history.encode(), this::load));
    this.training = resume.get();
  }

  /**
   * Joins the process's {@link Cairn#current()} as an independent rank, and resumes from its newest
   * checkpoint; see {@link #resume(EarlyStoppingConfiguration, Model, DataSetIterator,
   * Checkpointer)}.
   *
   * @param group name of this training within the job; the same at every start
   */
  public static <T extends Model> CairnEarlyStopping<T> resume(
      EarlyStoppingConfiguration<T> configuration, T model, DataSetIterator train, String group) {
    return resume(configuration, model, train, Cairn.current().join(group));
  }

  /** Like the other, for several inputs or outputs. */
  public static <T extends Model> CairnEarlyStopping<T> resume(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      MultiDataSetIterator train,
      String group) {
    return resume(configuration, model, train, Cairn.current().join(group));
  }

  /**
   * Takes over a rank as {@link CairnTraining#resume(Model, DataSetIterator, Checkpointer)} does.
   *
   * @param configuration whose model saver finds the networks that earlier processes saved, and
   *     holds those of no other training
   * @param checkpointer closed by {@link #close}, or at once if this method throws
   * @throws RestoreException if checkpoints exist and none fits
   * @throws IllegalArgumentException if no training with this model or this saver can resume
   */
  public static <T extends Model> CairnEarlyStopping<T> resume(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      DataSetIterator train,
      Checkpointer checkpointer) {
    return resume(
        configuration, model, checkpointer, own -> CairnTraining.resume(model, train, own));
  }

  /** Like the other, for several inputs or outputs. */
  public static <T extends Model> CairnEarlyStopping<T> resume(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      MultiDataSetIterator train,
      Checkpointer checkpointer) {
    return resume(
        configuration, model, checkpointer, own -> CairnTraining.resume(model, train, own));
  }

  private static <T extends Model> CairnEarlyStopping<T> resume(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      Checkpointer checkpointer,
      Function<Checkpointer, CairnTraining> training) {
    try {
      return new CairnEarlyStopping<>(
          configuration, model, checkpointer, () -> training.apply(checkpointer));
    } catch (RuntimeException e) {
      try {
        checkpointer.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** The state of a checkpoint, to which the conditions go back. */
  private void load(byte[] bytes) {
    history = StoppingHistory.decode(bytes);
    initialize();
    boolean ended = false;
    for (Map.Entry<Integer, Double> one : history.scores().entrySet()) {
      ended = endingCondition(one.getKey(), one.getValue()).isPresent();
    }
    End end = history.end().orElse(null);
    if (end != null && !(isByEpoch(end) ? ended : hasCondition(end))) {
      LOG.info(
          "Early stopping goes on: {} ended it after {} epochs, and the conditions are other ones"
              + " now",
          end.details(),
          end.epochs());
      history = history.reopened();
    }
  }

  private static boolean isByEpoch(End end) {
    return end.reason() == TerminationReason.EpochTerminationCondition;
  }

  /** Whether the program still has the condition on iterations that ended the training. */
  private boolean hasCondition(End end) {
    return configuration.getIterationTerminationConditions().stream()
        .anyMatch(condition -> named(condition.toString()).equals(named(end.details())));
  }

  /** Without the hash that a class without a toString of its own has, other in each process. */
  private static String named(String details) {
    return IDENTITY.matcher(details).replaceFirst("");
  }

  /** The condition that an evaluation fulfils; like DL4J, the later ones are not asked then. */
  private Optional<EpochTerminationCondition> endingCondition(int epoch, double score) {
    for (EpochTerminationCondition condition : configuration.getEpochTerminationConditions()) {
      if (condition.terminate(epoch, score, calculator.minimizeScore())) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  private void initialize() {
    configuration
        .getIterationTerminationConditions()
        .forEach(IterationTerminationCondition::initialize);
    configuration.getEpochTerminationConditions().forEach(EpochTerminationCondition::initialize);
  }

  /**
   * Trains until a condition ends the training, and goes on with the epochs of earlier processes.
   * Returns at once if they have ended it.
   *
   * @return with the best network that the saver has; null if no epoch was evaluated
   * @throws UncheckedIOException if the saver fails; the training can resume
   * @throws IllegalStateException if the saver's best network is of another training; after a
   *     restore, whose repeated epochs may score otherwise, that is a warning
   */
  public EarlyStoppingResult<T> fit() {
    training.fitUntil(
        asked -> endsAfter(asked, this::decide),
        asked -> endsAfter(asked, this::endedBefore),
        history.end().isPresent());
    End end = history.end().orElseThrow();
    Optional<Best> best = history.best(calculator.minimizeScore());
    return new EarlyStoppingResult<>(
        end.reason(),
        end.details(),
        new LinkedHashMap<>(history.scores()),
        best.map(Best::epoch).orElse(-1),
        best.map(Best::score).orElse(Double.NaN),
        end.epochs(),
        best.isPresent() ? bestModel(best.get()) : null);
  }

  private boolean decide(boolean epochIsOver) {
    for (IterationTerminationCondition condition :
        configuration.getIterationTerminationConditions()) {
      if (condition.terminate(model.score())) {
        end(TerminationReason.IterationTerminationCondition, condition, training.epoch());
        saveLatest(0.0);
        return true;
      }
    }
    return epochIsOver && endsAfterEpoch(training.epoch());
  }

  /** The restored minibatch was decided before it was saved, but for conditions that changed. */
  private boolean endedBefore(boolean epochIsOver) {
    return history.end().isPresent()
        || (epochIsOver
            && !history.scores().containsKey(training.epoch())
            && endsAfterEpoch(training.epoch()));
  }

  private boolean endsAfter(BooleanSupplier asked, Predicate<Boolean> decides) {
    boolean epochIsOver = asked.getAsBoolean();
    // a resumed training does not evaluate again, and building a network seeds the generator
    RandomState before = ThreadGenerator.state();
    try {
      return decides.test(epochIsOver);
    } finally {
      ThreadGenerator.set(before);
    }
  }

  private boolean endsAfterEpoch(int epoch) {
    return epoch % configuration.getEvaluateEveryNEpochs() == 0 && endsAfterEvaluation(epoch);
  }

  private boolean endsAfterEvaluation(int epoch) {
    double score = calculator.calculateScore(model);
    history = history.with(epoch, score);
    Best best = history.best(calculator.minimizeScore()).orElseThrow();
    LOG.info(
        "Epoch {} has score {}; the best is {} of epoch {}",
        epoch,
        score,
        best.score(),
        best.epoch());
    if (best.epoch() == epoch) {
      save(() -> saver.saveBestModel(model, score));
    }
    saveLatest(score);
    Optional<EpochTerminationCondition> met = endingCondition(epoch, score);
    met.ifPresent(
        condition -> end(TerminationReason.EpochTerminationCondition, condition, epoch + 1));
    return met.isPresent();
  }

  private void end(TerminationReason reason, Object condition, int epochs) {
    history = history.ended(reason, condition.toString(), epochs);
    LOG.info("Early stopping after {} epochs: {}", epochs, condition);
  }

  private interface Saving {
    void run() throws IOException;
  }

  private static void save(Saving saving) {
    try {
      saving.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void saveLatest(double score) {
    if (configuration.isSaveLastModel()) {
      save(() -> saver.saveLatestModel(model, score));
    }
  }

  private @Nullable T bestModel(Best best) {
    try {
      if (saver instanceof CairnModelSaver<?> own && Double.isFinite(best.score())) {
        requireScore(own.bestScore().orElse(Double.NaN), best);
      }
      return saver.getBestModel();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireScore(double saved, Best best) {
    if (saved != best.score() && training.restored().isPresent()) {
      LOG.warn(
          "The best network of the saver has score {}, and the best epoch now {}: an attempt before"
              + " has saved it, whose epoch scored otherwise when it was repeated",
          saved,
          best.score());
    } else if (saved != best.score()) {
      throw new IllegalStateException(
          "the best network of the saver has score %s, and that of this training has %s: give each training a saver with a directory of its own"
              .formatted(saved, best.score()));
    }
  }

  /** The report of the restore in {@code resume}; empty if there was no checkpoint. */
  public Optional<RestoreReport> restored() {
    return training.restored();
  }

  /** Outcomes of the checkpoints so far. */
  public CaptureStatistics statistics() {
    return training.statistics();
  }

  /** Waits, within the engine's limits, until the last checkpoints have reached their levels. */
  @Override
  public void close() {
    training.close();
  }
}
