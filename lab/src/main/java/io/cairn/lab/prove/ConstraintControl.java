package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.dl4j.CairnListener;
import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.NdArrays;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A control for loops that a program drives: DL4J applies constraints after a listener has captured
 * the iteration, so a restore applies them. Left out, the parameters are those of the capture, and
 * the training must end otherwise. Stateless.
 */
final class ConstraintControl {
  static final String LABEL = "constraints after an iteration";
  static final ProofCase TRAINED = new ProofCase(ProofNetwork.CONSTRAINED, ProofUpdater.ADAM);

  private static final int ITERATIONS = 6;

  private ConstraintControl() {}

  /** Whether the comparison notices the omission, and nothing without it. */
  static boolean noticed(Cairn cairn) {
    MultiLayerNetwork undisturbed = model();
    train(undisturbed, 0, 2 * ITERATIONS);
    Digest expected = ModelDigest.of(undisturbed);
    return resumed(cairn, "whole", false).equals(expected)
        && !resumed(cairn, "in-part", true).equals(expected);
  }

  private static MultiLayerNetwork model() {
    return (MultiLayerNetwork) TRAINED.network().create(TRAINED.updater());
  }

  private static Digest resumed(Cairn cairn, String group, boolean leftOut) {
    try (Checkpointer checkpointer = cairn.join(group)) {
      MultiLayerNetwork model = model();
      CairnListener listener = new CairnListener(checkpointer);
      listener.restore(model);
      model.setListeners(listener);
      train(model, 0, ITERATIONS);
    }
    try (Checkpointer checkpointer = cairn.join(group)) {
      MultiLayerNetwork model = model();
      CheckpointId from = new CairnListener(checkpointer).restore(model).orElseThrow().id();
      if (leftOut) {
        checkpointer.load(from, NdArrays.region("parameters", model.params()));
      }
      train(model, model.getIterationCount(), 2 * ITERATIONS);
      return ModelDigest.of(model);
    }
  }

  /** Trains each iteration on a minibatch that its number selects. */
  private static void train(MultiLayerNetwork model, int from, int to) {
    for (int iteration = from; iteration < to; iteration++) {
      DataSetIterator data = TRAINED.network().data().pairs();
      for (int skipped = 0; skipped < iteration % ProofData.MINIBATCHES; skipped++) {
        data.next();
      }
      model.fit(data.next());
    }
  }
}
