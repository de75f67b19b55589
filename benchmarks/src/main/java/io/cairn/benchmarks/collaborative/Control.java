package io.cairn.benchmarks.collaborative;

import io.cairn.benchmarks.collaborative.WorkerSetting.SlowLink;
import io.cairn.benchmarks.throttle.LinkTable;
import io.cairn.cli.schedule.Algorithm;
import io.cairn.core.flow.TransferPlan;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is executed to see that a link that is not as declared shows.
 *
 * @param moments whose exact plans use the link
 */
record Control(Drawing drawing, SlowLink link, List<Moment> moments) {
  private static final double FACTOR = 0.5;

  Control {
    moments = List.copyOf(moments);
  }

  /**
   * The direct link that costs the exact plans of a drawing most at half its rate, and the
   * snapshots that it costs most.
   *
   * @param most snapshots
   */
  static Control choose(Drawing drawing, int most, PlayedMachine machine) {
    SlowLink slowest =
        links(machine).stream()
            .max(Comparator.comparingDouble(link -> cost(drawing, link, machine)))
            .orElseThrow();
    List<Moment> moments =
        drawing.moments().stream()
            .sorted(Comparator.comparingDouble(moment -> -ratio(moment, slowest, machine)))
            .limit(most)
            .toList();
    return new Control(drawing, slowest, moments);
  }

  private static List<SlowLink> links(PlayedMachine machine) {
    LinkTable table = machine.table();
    return IntStream.range(0, machine.devices() * machine.devices())
        .mapToObj(pair -> new SlowLink(pair / machine.devices(), pair % machine.devices(), FACTOR))
        .filter(link -> link.from() != link.to() && table.hasWay(link.from(), link.to()))
        .toList();
  }

  private static double cost(Drawing drawing, SlowLink link, PlayedMachine machine) {
    return drawing.moments().stream().mapToDouble(moment -> ratio(moment, link, machine)).sum();
  }

  /** How many times longer the exact plan takes. */
  private static double ratio(Moment moment, SlowLink link, PlayedMachine machine) {
    LinkTable table = machine.table();
    TransferPlan plan = moment.plan(Algorithm.EXACT);
    LinkTable slowed = table.with(link.from(), link.to(), link.factor());
    return PlanTimes.seconds(plan.transfers(), slowed) / PlanTimes.seconds(plan.transfers(), table);
  }
}
