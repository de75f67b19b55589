package io.cairn.lab.study.simulate;

import io.cairn.core.flow.topology.PresetNames;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.ArrayList;
import java.util.List;

/**
 * The same sizes on ever more devices behind an NVSwitch. In one replay every pair has a link of
 * its own. In the other a device sends and receives at most that rate in all, as behind the switch.
 */
final class SwitchStudy {
  /** The numbers of devices. */
  static final List<Integer> DEVICES = List.of(16, 32, 64, 128);

  private static final int SNAPSHOTS = 16;

  /** The replays for one number of devices. */
  record Step(int devices, TraceReplay uncapped, TraceReplay capped) {}

  private SwitchStudy() {}

  /** Replays draws from a histogram; how much of a progress that is, {@link #steps} says. */
  static List<Step> run(Histogram sizes, long cacheBytes, long seed, Runnable advance) {
    List<Step> steps = new ArrayList<>();
    for (int devices : DEVICES) {
      Trace trace = sizes.draw("drawn", SNAPSHOTS, devices, seed + devices);
      steps.add(
          new Step(
              devices,
              TraceReplay.of(trace, topology("nvswitch-uncapped:", devices), cacheBytes, advance),
              TraceReplay.of(trace, topology("nvswitch:", devices), cacheBytes, advance)));
    }
    return steps;
  }

  /** How often {@code advance} is called. */
  static long steps() {
    return 2L * SNAPSHOTS * DEVICES.size() * Algorithm.values().length;
  }

  private static NamedTopology topology(String family, int devices) {
    return new NamedTopology(family + devices, PresetNames.topology(family + devices));
  }
}
