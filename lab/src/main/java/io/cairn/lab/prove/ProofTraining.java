package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.dl4j.CairnTraining;
import io.cairn.dl4j.ModelDigest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/**
 * The trainings of one case. A training changes its learning rates after its first epoch.
 * Stateless; each call has a model of its own.
 *
 * @param one what is trained
 * @param data a fresh iterator
 * @param group of its checkpoints
 */
record ProofTraining(ProofCase one, Supplier<ProofData> data, String group) {
  static final int EPOCHS = 3;

  private static final int MINIBATCHES_BEFORE_END = EPOCHS * ProofData.MINIBATCHES / 2;
  private static final ISchedule LATER_RATE =
      new ExponentialSchedule(ScheduleType.ITERATION, 0.02, 0.95);
  private static final long OTHER_SEED = 4711;

  /** The trainings of a case of the matrix. */
  static ProofTraining of(ProofCase one) {
    return new ProofTraining(one, one.network()::data, one.toString());
  }

  /** The end of a training by an exception. */
  static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The last iteration before the end in the middle of an epoch. */
  int iterationsBeforeEnd() {
    return MINIBATCHES_BEFORE_END * one.network().parts();
  }

  /** The state after a training that nothing disturbs, by DL4J alone. */
  Digest undisturbed() {
    Model model = model();
    listen(model, slowingDown());
    ProofNetwork.fitPlainly(model, data.get(), EPOCHS);
    if (!Double.isFinite(model.params().sumNumber().doubleValue())) {
      throw new IllegalStateException(one + " diverged, so its digest compares nothing");
    }
    return ModelDigest.of(model);
  }

  /** Trains the first epoch, and returns. */
  void untilReturn(Cairn cairn) {
    Model model = model();
    listen(model, slowingDown());
    try (CairnTraining run = resume(model, cairn)) {
      run.fit(1);
    }
  }

  /** Trains until an exception in the middle of an epoch. */
  void untilException(Cairn cairn) {
    Consumer<CairnTraining> throwing =
        run -> {
          throw new EndedException();
        };
    try {
      untilMiddle(cairn, throwing);
    } catch (EndedException e) {
      return;
    }
    throw new IllegalStateException(one + " trained to its end, although a listener throws");
  }

  /**
   * Trains into the middle of an epoch.
   *
   * @param atEnd receives the training there, in a callback of DL4J after an iteration
   */
  void untilMiddle(Cairn cairn, Consumer<CairnTraining> atEnd) {
    Model model = model();
    try (CairnTraining run = resume(model, cairn)) {
      listen(
          model,
          slowingDown(),
          new BaseTrainingListener() {
            @Override
            public void iterationDone(Model trained, int iteration, int epoch) {
              if (iteration == iterationsBeforeEnd()) {
                atEnd.accept(run);
              }
            }
          });
      run.fit(EPOCHS);
    }
  }

  /** How a training ended that resumed; {@code from} is as in {@link ResumeProof.Compared}. */
  record Resumed(long from, Digest digest) {}

  /** Resumes, and trains to the end. */
  Resumed resumed(Cairn cairn) {
    // another process has another generator state
    Nd4j.getRandom().setSeed(OTHER_SEED);
    Model model = model();
    listen(model, slowingDown());
    try (CairnTraining run = resume(model, cairn)) {
      run.fit(EPOCHS);
      return new Resumed(from(run), ModelDigest.of(model));
    }
  }

  /** The model of a new process. */
  Model model() {
    return one.network().create(one.updater());
  }

  private CairnTraining resume(Model model, Cairn cairn) {
    return ProofNetwork.resume(model, data.get(), cairn.join(group));
  }

  private static long from(CairnTraining run) {
    return run.restored().map(report -> report.id().iteration()).orElse(-1L);
  }

  /** Replaces the model's listeners. */
  static void listen(Model model, TrainingListener... listeners) {
    model.setListeners(listeners);
  }

  /**
   * Changes the learning rates of the dense network after the first epoch, which moves the
   * updater's state. The others keep theirs: DL4J cannot change those of every one of them.
   */
  TrainingListener slowingDown() {
    return new BaseTrainingListener() {
      @Override
      public void onEpochEnd(Model model) {
        if (one.network() == ProofNetwork.DENSE
            && ((MultiLayerNetwork) model).getEpochCount() == 0) {
          ((MultiLayerNetwork) model).setLearningRate(LATER_RATE);
        }
      }
    };
  }
}
