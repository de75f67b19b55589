package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Selects the checkpoints of a group that count: the newest with a manifest (the greatest epoch,
 * and in it the greatest iteration), and its ancestors. A manifest of an older epoch, however late
 * it was published, is dead once a newer epoch has one that does not descend from it. So readers
 * decide, and no rename has to be conditional on an epoch.
 *
 * <p>The caller must read the manifests from the oldest to the newest, since an older attempt may
 * be deleting them. It reads all again if a checkpoint has appeared meanwhile. A readable manifest
 * takes part even if its containers are damaged, since its ancestry is valid. If a manifest cannot
 * be reached for the moment, the caller must not fall back to an older checkpoint.
 */
public final class Lineage {
  private Lineage() {}

  /**
   * The checkpoints that count, newest first.
   *
   * @param manifests every checkpoint of one group with a manifest anywhere, and its ancestry
   */
  public static List<CheckpointId> alive(Map<CheckpointId, Ancestry> manifests) {
    return manifests.keySet().stream()
        .max(Comparator.naturalOrder())
        .map(
            newest -> {
              Ancestry line = manifests.getOrDefault(newest, Ancestry.NONE);
              return manifests.keySet().stream()
                  .filter(id -> id.epoch() == newest.epoch() || line.contains(id))
                  .sorted(Comparator.reverseOrder())
                  .toList();
            })
        .orElse(List.of());
  }
}
