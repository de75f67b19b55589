package io.cairn.lab.soak;

import io.cairn.Level;
import io.cairn.lab.soak.SoakEvent.What;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads a group's log from its beginning. A rank must resume from no older checkpoint than was
 * reported as sealed below DEVICE on its line of epochs, at a level that survived every blow since.
 * Both ranks of a coupled group must resume from the same checkpoint. After a bad step without
 * another loss they must resume from the very last one at DEVICE. Not thread-safe.
 */
final class SoakJudge {
  private final SoakGroup group;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> sources = new TreeMap<>();
  private long epoch;

  /** The newest iteration sealed at each level below DEVICE that survived. */
  private final Map<Level, Long> sealed = new EnumMap<>(Level.class);

  /** The nearest level that survived all blows of the epoch; later seals above it do not count. */
  private Level survived = Level.NODE;

  /** How far back the newest epoch could go, and went. */
  private long floorOfEpoch = -1;

  private long resumed = -1;
  private String cause = "first start";

  /** The iteration of the epoch's bad step, its ranks that had it at DEVICE, and what was lost. */
  private long bad = -1;

  private final Set<Integer> badAtDevice = new HashSet<>();
  private final Set<Long> withdrawn = new HashSet<>();
  private final Set<Integer> ended = new HashSet<>();

  /** Whether an executor of the group was lost since the epoch began. */
  private boolean lost;

  private boolean mustBeLast;

  SoakJudge(SoakGroup group) {
    this.group = group;
  }

  /** Judges a whole log. */
  static SoakJudge of(SoakGroup group, List<SoakEvent> events) {
    SoakJudge judge = new SoakJudge(group);
    events.forEach(judge::take);
    for (int rank = 0; rank < group.size(); rank++) {
      if (!judge.ended.contains(rank)) {
        judge.problems.add(group.name() + ": rank " + rank + " did not come to its end");
      }
    }
    return judge;
  }

  /** The violations found. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** How often a rank resumed from which level, by cause, such as {@code kill: NODE}. */
  Map<String, Integer> sources() {
    return Map.copyOf(sources);
  }

  private void take(SoakEvent event) {
    if (event.what().isBlow()) {
      strike(event);
    } else if (event.what().isEntry()) {
      enter(event);
    } else if (event.what() == What.DAMAGED) {
      problems.add(group.name() + ": what was restored differs: " + event);
    } else if (event.what() == What.END) {
      ended.add(event.rank());
    } else if (event.epoch() == epoch) {
      takeOfEpoch(event);
    }
  }

  private void strike(SoakEvent blow) {
    cause = blow.what().name().toLowerCase(Locale.ROOT);
    if (survived.compareTo(blow.what().survived()) < 0) {
      survived = blow.what().survived();
      sealed.keySet().removeIf(this::isLost);
    }
    lost |= blow.what() != What.STOP;
  }

  private boolean isLost(Level level) {
    return level.compareTo(survived) < 0;
  }

  private void takeOfEpoch(SoakEvent event) {
    if (event.what() == What.SEALED) {
      Level level = Level.valueOf(event.level());
      if (!isLost(level)) {
        sealed.merge(level, event.iteration(), Math::max);
      }
    } else if (event.what() == What.WITHDRAWN) {
      withdrawn.add(event.iteration());
    } else if (event.what() == What.BAD_STEP) {
      bad = event.iteration();
      if (event.level().equals(Level.DEVICE.name())) {
        badAtDevice.add(event.rank());
      }
    }
  }

  private void enter(SoakEvent event) {
    if (event.epoch() < epoch) {
      return; // an attempt that is over
    }
    boolean first = event.epoch() > epoch;
    if (first) {
      begin(event);
    } else if (event.iteration() != resumed) {
      problems.add(group.name() + ": not all ranks resumed from " + resumed + ": " + event);
    }
    if (event.iteration() < floorOfEpoch) {
      problems.add(group.name() + ": " + floorOfEpoch + " was sealed below DEVICE before " + event);
    }
    if (event.what() == What.AGAIN && mustBeLast && event.iteration() != bad) {
      problems.add(group.name() + ": " + bad + " was at DEVICE before " + event);
    }
    String why = event.what() == What.AGAIN ? "bad step" : cause;
    sources.merge(why + ": " + event.level(), 1, Integer::sum);
  }

  private void begin(SoakEvent event) {
    mustBeLast = badAtDevice.size() == group.size() && !lost && !withdrawn.contains(bad);
    epoch = event.epoch();
    resumed = event.iteration();
    floorOfEpoch = sealed.values().stream().mapToLong(iteration -> iteration).max().orElse(-1);
    survived = Level.NODE;
    badAtDevice.clear();
    lost = false;
    withdrawn.clear();
  }
}
