package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.bench.collaborative.WorkerSetting.SlowLink;
import io.cairn.lab.study.schedule.Algorithm;
import io.cairn.lab.study.throttle.LinkTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A control: checkpoints over a link that is slower than declared must show it.
 *
 * @param moments whose exact plans use the link
 * @param ratio how many times longer they take, as the links are; the mean
 */
record Control(Drawing drawing, SlowLink link, List<Moment> moments, double ratio) {
  private static final double FACTOR = 0.5;

  Control {
    moments = List.copyOf(moments);
  }

  /**
   * The link, direct or to the host, that costs exact plans most at half its rate. With it, the
   * snapshots of one cache that it costs most.
   *
   * @param most snapshots
   */
  static Control choose(List<Drawing> drawings, int most) {
    List<Control> all = new ArrayList<>();
    for (Drawing drawing : drawings) {
      int devices = drawing.moments().get(0).bytes().size();
      LinkTable table = LinkTable.of(PlayedMachine.real(devices), 1);
      for (int from = 0; from < devices; from++) {
        for (int to = LinkTable.HOST; to < devices; to++) {
          if (from != to && table.hasWay(from, to)) {
            all.add(of(drawing, table, new SlowLink(from, to, FACTOR), most));
          }
        }
      }
    }
    return all.stream().max(Comparator.comparingDouble(Control::ratio)).orElseThrow();
  }

  private static Control of(Drawing drawing, LinkTable table, SlowLink link, int most) {
    LinkTable slowed = table.with(link.from(), link.to(), link.factor());
    List<Costly> costly =
        drawing.moments().stream()
            .map(moment -> Costly.of(moment, table, slowed))
            .sorted(Comparator.comparingDouble(Costly::ratio).reversed())
            .limit(most)
            .toList();
    return new Control(
        drawing,
        link,
        costly.stream().map(Costly::moment).toList(),
        costly.stream().mapToDouble(Costly::ratio).average().orElse(1));
  }

  /** A snapshot, and how many times longer its exact plan takes over slowed links. */
  private record Costly(Moment moment, double ratio) {
    static Costly of(Moment moment, LinkTable table, LinkTable slowed) {
      TransferPlan plan = moment.plan(Algorithm.EXACT);
      List<Transfer> transfers = plan.transfers();
      double ratio = PlanTimes.seconds(transfers, slowed) / PlanTimes.seconds(transfers, table);
      return new Costly(moment, ratio);
    }
  }
}
