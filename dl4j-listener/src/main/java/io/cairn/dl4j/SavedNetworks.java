package io.cairn.dl4j;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.HeldCheckpoint;
import io.cairn.Region;
import io.cairn.RestoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the program's network with those of its checkpoints, whose states it reads: memory and
 * epoch do not change. Not thread-safe: the training thread owns it.
 *
 * @param checkpointer reads the checkpoints
 * @param here the program's own configuration
 */
record SavedNetworks(Checkpointer checkpointer, BuiltConfiguration here) {
  private static final Logger LOG = LoggerFactory.getLogger(SavedNetworks.class);

  /**
   * Whether a checkpoint that can be read has a network of the same settings under this name, which
   * may be one of an older writer.
   */
  boolean names(String name) {
    for (HeldCheckpoint held : checkpointer.checkpoints()) {
      Optional<BuiltConfiguration> there = network(held.id());
      if (there.isPresent() && isNamed(name, there.get())) {
        return there.get().equals(here);
      }
    }
    return false;
  }

  private static boolean isNamed(String name, BuiltConfiguration network) {
    return name.equals(network.olderFingerprint()) || name.equals(network.fingerprint());
  }

  private Optional<BuiltConfiguration> network(CheckpointId id) {
    try {
      return read(id);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: the configuration of {} cannot be read", checkpointer.member(), id, e);
      return Optional.empty();
    }
  }

  private Optional<BuiltConfiguration> read(CheckpointId id) throws IOException {
    TrainingState[] read = new TrainingState[1];
    checkpointer.load(
        id,
        Region.of(
            ModelRegions.STATE,
            () -> {
              throw new IllegalStateException("this region is only read");
            },
            bytes -> read[0] = TrainingState.decode(bytes)));
    return read[0] == null
        ? Optional.empty()
        : Optional.of(BuiltConfiguration.decode(read[0].model().built()));
  }

  /**
   * A refusal, with the differences to the newest checkpoint's network appended if there are any.
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
    Optional<BuiltConfiguration> there = read(id);
    List<String> differences = there.isEmpty() ? List.of() : here.differences(there.get());
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
