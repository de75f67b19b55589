package io.cairn.core.protocol;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which checkpoints of a group count: the newest one that has a manifest (the greatest epoch, and
 * in it the greatest iteration) and, of the others, those on its line. A manifest that an older
 * epoch published, however late, is dead as soon as a newer epoch has one that does not descend
 * from it. So no rename must be made conditional on an epoch: readers decide.
 *
 * <p>It is as good as what it is given. Manifests are to be read from the oldest to the newest, and
 * all again if a checkpoint has appeared meanwhile, since an older attempt may be deleting them; a
 * manifest that can be read takes part although its containers are damaged, since it still says
 * which line is left; and one that cannot be reached for the moment is no reason to take an older.
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
