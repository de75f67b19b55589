package io.cairn.core.flow.topology;

import io.cairn.core.flow.Topology;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds {@link Presets} by name: {@code dgx1}, {@code nvswitch:64}, or a cluster of any such
 * machine; {@code cluster:4xdgx1@25} is four DGX-1 with 25 GB/s of network each. Thread-safe.
 */
public final class PresetNames {
  private static final Map<String, Supplier<Machine>> MACHINES =
      new TreeMap<>(
          Map.of(
              "dgx1", Presets::dgx1,
              "dgx1-shared-host", Presets::dgx1SharedHost,
              "dgx1-v100", Presets::dgx1V100,
              "dgx1-p100", Presets::dgx1P100,
              "dgx2", Presets::dgx2,
              "hgx-a100", Presets::hgxA100,
              "dgx-h100", Presets::dgxH100));
  private static final Map<String, IntFunction<Machine>> SIZED =
      new TreeMap<>(
          Map.of("nvswitch", Presets::nvSwitch, "nvswitch-uncapped", Presets::nvSwitchUncapped));

  private static final String CLUSTER = "cluster";
  private static final Pattern WITH_SIZE = Pattern.compile("([a-z-]+):(\\d{1,6})");
  private static final Pattern OF_MACHINES =
      Pattern.compile(CLUSTER + ":(\\d{1,6})x([^@]+)@(\\d{1,6}(?:\\.\\d{1,9})?)");
  private static final int SUGGESTIONS = 3;

  /** The most letters of a name that are compared with known names. */
  private static final int LONGEST = 64;

  private PresetNames() {}

  /** Every name, with {@code N} for a number of devices or machines and {@code GB/s} for a rate. */
  public static List<String> all() {
    return Stream.of(
            MACHINES.keySet().stream(),
            SIZED.keySet().stream().map(name -> name + ":N"),
            Stream.of(CLUSTER + ":NxMACHINE@GB/s"))
        .flatMap(names -> names)
        .toList();
  }

  /**
   * The topology of that name.
   *
   * @throws IllegalArgumentException if there is none, with the names nearest to it, or if its
   *     number of devices is out of range
   */
  public static Topology topology(String name) {
    Matcher cluster = OF_MACHINES.matcher(name);
    if (cluster.matches()) {
      double nic = Double.parseDouble(cluster.group(3)) * 1e9;
      return machine(cluster.group(2)).cluster(Integer.parseInt(cluster.group(1)), nic);
    }
    return machine(name).topology();
  }

  /**
   * The machine of that name; a cluster is not a machine.
   *
   * @throws IllegalArgumentException as {@link #topology} does
   */
  public static Machine machine(String name) {
    Supplier<Machine> machine = MACHINES.get(name);
    if (machine != null) {
      return machine.get();
    }
    Matcher sized = WITH_SIZE.matcher(name);
    if (sized.matches()) {
      IntFunction<Machine> family = SIZED.get(sized.group(1));
      if (family != null) {
        return family.apply(Integer.parseInt(sized.group(2)));
      }
    }
    throw unknown(name);
  }

  private static IllegalArgumentException unknown(String name) {
    String shown = name.length() > LONGEST ? name.substring(0, LONGEST) + "..." : name;
    String typed = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    String nearest =
        all().stream()
            .sorted(
                Comparator.comparingInt(known -> EditDistance.between(stem(typed), stem(known))))
            .limit(SUGGESTIONS)
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        "there is no topology \"%s\"; the nearest are %s; all are %s"
            .formatted(shown, nearest, String.join(", ", all())));
  }

  private static String stem(String name) {
    int colon = name.indexOf(':');
    return colon < 0 ? name : name.substring(0, colon);
  }
}
