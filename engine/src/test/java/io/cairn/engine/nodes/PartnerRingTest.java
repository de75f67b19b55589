package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.engine.config.PeerSettings.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PartnerRingTest {
  private final PartnerRing hosts = new PartnerRing(Domain.HOST);

  private static NodeSite site(String host, String process) {
    return new NodeSite(process, host + ":/" + process, new PeerAddress(host, 1));
  }

  @Test
  void theNextHostInTheRingComesFirst() {
    NodeSite a = site("a", "1");
    NodeSite b = site("b", "2");
    NodeSite c = site("c", "3");

    assertThat(hosts.after(b, List.of(c, a), 0)).containsExactly(c, a);
    assertThat(hosts.after(c, List.of(b, a), 0)).containsExactly(a, b);
  }

  @Test
  void noProcessOfTheSameHostIsAPartner() {
    NodeSite self = site("a", "1");

    assertThat(hosts.after(self, List.of(site("a", "2"), site("a", "3")), 0)).isEmpty();
  }

  @Test
  void anotherDirectoryOfTheSameHostIsOneIfDirectoriesFailAlone() {
    NodeSite self = site("a", "1");
    NodeSite other = site("a", "2");

    assertThat(new PartnerRing(Domain.NODE).after(self, List.of(other), 0)).containsExactly(other);
  }

  @Test
  void theRanksOfAProcessAreSpreadOverTheProcessesOfAHost() {
    NodeSite self = site("a", "1");
    List<NodeSite> others = List.of(site("b", "3"), site("b", "2"));

    assertThat(hosts.after(self, others, 0)).containsExactly(site("b", "2"));
    assertThat(hosts.after(self, others, 1)).containsExactly(site("b", "3"));
    assertThat(hosts.after(self, others, 2)).containsExactly(site("b", "2"));
  }

  @Test
  void eachHostIsThePartnerOfOneOther() {
    List<NodeSite> all = new ArrayList<>();
    for (int host = 0; host < 7; host++) {
      all.add(site("host-" + host, "process-" + host));
    }

    Set<String> partners = new TreeSet<>();
    for (NodeSite self : all) {
      partners.add(hosts.after(self, all, 0).get(0).process());
    }

    assertThat(partners).hasSize(7);
  }
}
