package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.engine.config.PeerDomain;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.config.PeerSettings.Scheme;
import io.cairn.lab.study.cluster.TopologySimulation.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Machines with any number of processes each, whatever their scheme, survive what it promises. */
class TopologySimulationTest {
  private static final List<Integer> MACHINES = List.of(2, 3, 4);
  private static final List<Integer> PROCESSES = List.of(1, 2, 4);

  private static PeerSettings peer(Scheme scheme) {
    return new PeerSettings(scheme, new PeerDomain.Host(), 0);
  }

  /** Each topology is a seed. */
  private static Map<String, Integer> run(List<Topology> topologies) throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();
    ClusterSweep.Report report =
        ClusterSweep.run(
            0,
            topologies.size(),
            2,
            (seed, device, home, pool) ->
                TopologySimulation.run(topologies.get((int) seed), seed, device, home, pool),
            result -> {
              if (!result.violation().isEmpty()) {
                violations.add("seed " + result.seed() + ": " + result.violation());
              }
            });
    assertThat(violations).isEmpty();
    return report.faults();
  }

  /** Even and uneven numbers of processes, by machine. */
  private static List<List<Integer>> clusters() {
    List<List<Integer>> clusters = new ArrayList<>();
    for (int machines : MACHINES) {
      PROCESSES.forEach(processes -> clusters.add(Collections.nCopies(machines, processes)));
    }
    clusters.addAll(List.of(List.of(3, 1), List.of(1, 4, 2), List.of(2, 1, 1, 3)));
    return clusters;
  }

  @ParameterizedTest
  @EnumSource(names = {"PARTNER", "XOR", "RS"})
  void theNewestOfPeerIsRestoredAfterTheLossOfAMachine(Scheme scheme) throws Exception {
    List<Topology> topologies = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(scheme.name().hashCode());
    for (List<Integer> cluster : clusters()) {
      Set<Integer> lost = Set.of(random.nextInt(cluster.size()));
      topologies.add(new Topology(cluster, peer(scheme), lost));
    }

    Map<String, Integer> counts = run(topologies);
    assertThat(counts).containsEntry(TopologySimulation.AHEAD, topologies.size());
    int again = counts.getOrDefault(TopologySimulation.AHEAD_AGAIN, 0);
    int atItsEnd = counts.getOrDefault(TopologySimulation.AT_ITS_END, 0);
    assertThat(again + atItsEnd).as("%s", counts).isEqualTo(topologies.size());
    assertThat(again).as("%s", counts).isGreaterThanOrEqualTo(topologies.size() - 1);
  }

  @ParameterizedTest
  @EnumSource(names = {"PARTNER", "XOR", "RS"})
  @Tag("proof")
  void theNewestOfPeerIsRestoredAfterTheLossOfAnyMachine(Scheme scheme) throws Exception {
    List<Topology> topologies = new ArrayList<>();
    for (int again = 0; again < 5; again++) {
      for (List<Integer> cluster : clusters()) {
        for (int lost = 0; lost < cluster.size(); lost++) {
          topologies.add(new Topology(cluster, peer(scheme), Set.of(lost)));
        }
      }
    }

    // a lost machine may delay PEER by more than what is left of a short training
    Map<String, Integer> counts = run(topologies);
    int most = topologies.size() * 9 / 10;
    assertThat(counts.get(TopologySimulation.AHEAD)).isGreaterThan(most);
    assertThat(counts.get(TopologySimulation.AHEAD_AGAIN)).isGreaterThan(most);
  }

  @Test
  void twoMachinesMayBeLostAtOnceWithTwoParities() throws Exception {
    List<Topology> topologies =
        Stream.of(List.of(2, 2, 2), List.of(2, 2, 2, 2), List.of(1, 3, 2, 1))
            .flatMap(
                processes ->
                    Stream.of(Set.of(0, 1), Set.of(1, 2), Set.of(0, 2))
                        .map(lost -> new Topology(processes, peer(Scheme.RS), lost)))
            .toList();

    assertThat(run(topologies))
        .containsEntry(TopologySimulation.AHEAD, topologies.size())
        .containsEntry(TopologySimulation.AHEAD_AGAIN, topologies.size());
  }

  @Test
  void aGroupOnTheOnlyMachineTrainsAsWithoutPeer() throws Exception {
    List<Topology> topologies =
        Stream.of(Scheme.PARTNER, Scheme.XOR, Scheme.RS)
            .flatMap(
                scheme ->
                    PROCESSES.stream()
                        .map(each -> new Topology(List.of(each), peer(scheme), Set.of())))
            .toList();

    run(topologies);
  }
}
