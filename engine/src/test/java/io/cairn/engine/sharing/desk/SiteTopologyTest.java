package io.cairn.engine.sharing.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.SharedHostLink;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.Presets;
import io.cairn.core.sharing.HolderSite;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SiteTopologyTest {
  private static HolderSite site(String machine, int device) {
    return new HolderSite("p/" + machine + device + "@" + machine + ":1", machine, device);
  }

  @Test
  void ofAnUnknownMachineAllReachAllAlike() {
    Topology linked =
        new SiteTopology(Optional.empty(), true)
            .apply(List.of(site("a", 0), site("a", 1), site("a", 1)));
    assertThat(linked.devices()).isEqualTo(3);
    assertThat(linked.linkBytesPerSecond(0, 1)).isEqualTo(linked.linkBytesPerSecond(1, 2));
    assertThat(linked.linkBytesPerSecond(2, 1)).isPositive();
    assertThat(linked.viaNetwork(0, 1)).isFalse();
    assertThat(linked.hostBytesPerSecond(0)).isPositive();
  }

  @Test
  void devicesOfAKnownMachineAreLinkedAsItSaysWhateverTheirOrder() {
    SiteTopology topology = new SiteTopology(Optional.empty(), true);
    Topology dgx = Presets.dgx1V100().topology();
    topology.learn("a", dgx);
    Topology linked = topology.apply(List.of(site("a", 3), site("a", 0), site("a", 5)));
    assertThat(linked.linkBytesPerSecond(0, 1)).isEqualTo(dgx.linkBytesPerSecond(3, 0));
    assertThat(linked.linkBytesPerSecond(1, 2)).isEqualTo(dgx.linkBytesPerSecond(0, 5));
    assertThat(linked.hostBytesPerSecond(0)).isEqualTo(dgx.hostBytesPerSecond(3));
  }

  @Test
  void machinesReachEachOtherThroughTheNetwork() {
    Topology linked =
        new SiteTopology(Optional.of(Presets.dgx1().topology()), true)
            .apply(List.of(site("a", 0), site("b", 0), site("a", 1)));
    assertThat(linked.viaNetwork(0, 1)).isTrue();
    assertThat(linked.viaNetwork(0, 2)).isFalse();
    assertThat(linked.nodeOf(0)).isEqualTo(linked.nodeOf(2)).isNotEqualTo(linked.nodeOf(1));
  }

  @Test
  void hostLinksAreSharedByThoseOfThemThatAreThere() {
    Topology shared = Presets.dgx1SharedHost().topology();
    List<Integer> pair = shared.sharedHostLinks().get(0).devices();
    Topology linked =
        new SiteTopology(Optional.of(shared), true)
            .apply(List.of(site("a", pair.get(0)), site("a", pair.get(1)), site("a", 7)));
    assertThat(linked.sharedHostLinks())
        .extracting(SharedHostLink::devices)
        .containsExactly(List.of(0, 1));
  }

  /** A plan exists all the same, and sends to peers what they take. */
  @Test
  void withoutHostMemoryTheHostIsAsFarAsCanBe() {
    Topology linked =
        new SiteTopology(Optional.of(Presets.dgx1().topology()), false)
            .apply(List.of(site("a", 0), site("a", 1)));
    assertThat(linked.hostBytesPerSecond(0)).isEqualTo(1);
  }

  @Test
  void aDeviceThatTheMachineDoesNotListIsReachedThroughItsMemory() {
    Topology linked =
        new SiteTopology(Optional.of(Presets.dgx1().topology()), true)
            .apply(List.of(site("a", 0), site("a", 11)));
    assertThat(linked.linkBytesPerSecond(1, 0)).isPositive();
  }
}
