package io.cairn.dl4j;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.training.ReplayedProgram;
import java.util.List;
import java.util.function.Function;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * A whole training, for a replay. Immutable.
 *
 * @param resume as for {@link CairnTraining#certifier}; so are the epochs
 */
record ReplayedTraining(Function<Checkpointer, CairnTraining> resume, int epochs)
    implements ReplayedProgram {
  @Override
  public void run(Checkpointer checkpointer) {
    try (CairnTraining training = resume.apply(checkpointer)) {
      training.fit(epochs);
    }
  }

  @Override
  public int threads() {
    return NativeOpsHolder.getInstance().getDeviceNativeOps().ompGetMaxThreads();
  }

  @Override
  public int threads(byte[] state) {
    return TrainingState.decode(state).openMpThreads();
  }

  @Override
  public List<String> differences(byte[] state, byte[] other) {
    return TrainingState.decode(state).differences(TrainingState.decode(other));
  }

  @Override
  public Digest digest(long address, long bytes) {
    return ModelDigest.of(address, bytes);
  }
}
