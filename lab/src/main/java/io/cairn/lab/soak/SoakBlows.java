package io.cairn.lab.soak;

import io.cairn.lab.soak.SoakEvent.What;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Strikes a run at moments that follow from a seed. One thread. */
interface SoakBlows {
  /**
   * Strikes once, unless a victim is between two attempts.
   *
   * @return the problem, if ranks did not come back from an earlier blow or from this one
   */
  Optional<String> strike() throws IOException, InterruptedException;

  /** How many there were, by kind. */
  Map<What, Integer> counts();

  /** How many there were. */
  default int struck() {
    return counts().values().stream().mapToInt(count -> count).sum();
  }
}
