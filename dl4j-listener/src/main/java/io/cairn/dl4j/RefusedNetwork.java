package io.cairn.dl4j;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.HeldCheckpoint;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import java.io.IOException;
import java.util.List;

/**
 * Explains a refused restore by the settings in which the two networks differ.
 *
 * @param checkpointer reads the newest checkpoint
 * @param here the program's own configuration
 */
record RefusedNetwork(Checkpointer checkpointer, BuiltConfiguration here) {
  /**
   * The refusal, with the differences to the newest checkpoint's network appended if there are any.
   * Reads that checkpoint's state once more, and neither memory nor epoch change.
   */
  RestoreException explain(RestoreException refused) {
    try {
      List<HeldCheckpoint> held = checkpointer.checkpoints();
      return held.isEmpty() ? refused : explain(refused, held.get(0).id());
    } catch (IOException | RuntimeException e) {
      refused.addSuppressed(e);
      return refused;
    }
  }

  private RestoreException explain(RestoreException refused, CheckpointId id) throws IOException {
    TrainingState[] read = new TrainingState[1];
    checkpointer.load(
        id,
        Region.of(
            ModelRegions.STATE,
            () -> {
              throw new IllegalStateException("this region is only read");
            },
            bytes -> read[0] = TrainingState.decode(bytes)));
    if (read[0] == null) {
      return refused;
    }
    List<String> differences = here.differences(BuiltConfiguration.decode(read[0].model().built()));
    if (differences.isEmpty()) {
      return refused;
    }
    RestoreException explained =
        new RestoreException(
            "%s. The network of %s differs in: %s"
                .formatted(refused.getMessage(), id, String.join("; ", differences)));
    explained.initCause(refused);
    return explained;
  }
}
