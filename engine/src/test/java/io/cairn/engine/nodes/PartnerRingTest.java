package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PartnerRingTest {
  private static NodeSite site(String domain, String process) {
    return new NodeSite(process, process + ":/node", domain, new PeerAddress(process, 1));
  }

  @Test
  void theNextDomainInTheRingComesFirst() {
    NodeSite a = site("a", "1");
    NodeSite b = site("b", "2");
    NodeSite c = site("c", "3");

    assertThat(PartnerRing.after(b, List.of(c, a), 0)).containsExactly(c, a);
    assertThat(PartnerRing.after(c, List.of(b, a), 0)).containsExactly(a, b);
  }

  @Test
  void noProcessOfTheSameDomainIsAPartner() {
    NodeSite self = site("a", "1");

    assertThat(PartnerRing.after(self, List.of(site("a", "2"), site("a", "3")), 0)).isEmpty();
  }

  @Test
  void aProcessThatDoesNotKnowItsDomainIsNoPartner() {
    NodeSite self = site("a", "1");
    NodeSite other = site("b", "3");

    assertThat(PartnerRing.after(self, List.of(site("", "2"), other), 0)).containsExactly(other);
  }

  @Test
  void theRanksOfAProcessAreSpreadOverTheProcessesOfADomain() {
    NodeSite self = site("a", "1");
    List<NodeSite> others = List.of(site("b", "3"), site("b", "2"));

    assertThat(PartnerRing.after(self, others, 0)).containsExactly(site("b", "2"));
    assertThat(PartnerRing.after(self, others, 1)).containsExactly(site("b", "3"));
    assertThat(PartnerRing.after(self, others, 2)).containsExactly(site("b", "2"));
  }

  @Test
  void eachDomainIsThePartnerOfOneOther() {
    List<NodeSite> all = new ArrayList<>();
    for (int rack = 0; rack < 7; rack++) {
      all.add(site("rack-" + rack, "process-" + rack));
    }

    Set<String> partners = new TreeSet<>();
    for (NodeSite self : all) {
      partners.add(PartnerRing.after(self, all, 0).get(0).process());
    }

    assertThat(partners).hasSize(7);
  }
}
