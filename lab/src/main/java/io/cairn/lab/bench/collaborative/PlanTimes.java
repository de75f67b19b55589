package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.Transfer;
import io.cairn.lab.study.throttle.LinkTable;
import java.util.List;

/** How long transfers take over links that are perhaps not those that they were planned for. */
final class PlanTimes {
  private PlanTimes() {}

  /** The time until all have passed all of their stretches. All start at once; O(transfers). */
  static double seconds(List<Transfer> transfers, LinkTable table) {
    double[] seconds = new double[table.stretches()];
    double longest = 0;
    for (Transfer transfer : transfers) {
      int to = transfer.toHost() ? LinkTable.HOST : transfer.to();
      for (int stretch : table.way(transfer.from(), to)) {
        seconds[stretch] += transfer.bytes() / table.bytesPerSecond(stretch);
        longest = Math.max(longest, seconds[stretch]);
      }
    }
    return longest;
  }
}
