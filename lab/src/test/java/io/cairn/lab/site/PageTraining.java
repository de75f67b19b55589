package io.cairn.lab.site;

import io.cairn.Digest;
import io.cairn.dl4j.CairnTraining;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Reports what a training of a page does, in a process of its own. */
public final class PageTraining {
  static final String DIES_AT = "page.diesAt";
  static final String FROM = "from ";
  static final String AT = "at ";
  static final String ENDED = "ended ";

  private PageTraining() {}

  /** The training is about to begin; it waits for its death where the process's properties say. */
  public static void begins(MultiLayerNetwork model, CairnTraining training) {
    System.out.println(FROM + training.restored().map(r -> r.id().iteration()).orElse(-1L));
    model.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration == Integer.getInteger(DIES_AT, -1)) {
              System.out.println(AT + iteration);
              while (true) {
                LockSupport.park();
              }
            }
          }
        });
  }

  /** The training has ended. */
  public static void ended(MultiLayerNetwork model) {
    System.out.println(
        ENDED
            + model.getIterationCount()
            + " "
            + digest(model.params())
            + " "
            + digest(model.getUpdater().getStateViewArray()));
  }

  private static Digest digest(INDArray array) {
    float[] values = array.toFloatVector();
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    bytes.asFloatBuffer().put(values);
    return Digest.of(bytes.array());
  }
}
