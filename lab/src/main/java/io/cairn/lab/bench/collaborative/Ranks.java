package io.cairn.lab.bench.collaborative;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.Presets;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.HolderSite;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One coupled group on nodes of eight devices, a rank on each. Every process computes the same
 * reports from the seed: at each checkpoint a rank has a remainder or spare by the toss of a coin.
 *
 * @param size of the group; above 8 a multiple of 8
 */
record Ranks(int size, long seed) {
  private static final int DEVICES_PER_NODE = 8;
  private static final double NIC_BYTES_PER_SECOND = 12.5e9;
  private static final long CHUNK_BYTES = 1_000_000;
  private static final int MOST_CHUNKS = 200;
  private static final GroupId GROUP = new GroupId("bench", "coupled");

  HolderSite site(int rank) {
    return new HolderSite(holder(rank), "node-" + rank / DEVICES_PER_NODE, rank % DEVICES_PER_NODE);
  }

  private static String holder(int rank) {
    return "holder-" + rank + "/0@127.0.0.1:1";
  }

  Report report(int rank, long iteration) {
    SplittableRandom random = new SplittableRandom((seed * 31 + iteration) * size + rank);
    boolean sends = random.nextBoolean();
    int chunks = random.nextInt(1, MOST_CHUNKS + 1);
    return new Report(
        new Member(GROUP, rank, size),
        1,
        iteration,
        holder(rank),
        sends ? chunks : 0,
        sends ? 0 : chunks,
        CHUNK_BYTES);
  }

  /**
   * The topology of these holders: a DGX-1 with V100, or several, each behind a network card.
   *
   * @throws IllegalArgumentException if they did not register in the order of ranks
   */
  Topology linking(List<HolderSite> sites) {
    for (int rank = 0; rank < sites.size(); rank++) {
      if (!sites.get(rank).equals(site(rank))) {
        throw new IllegalArgumentException("rank " + rank + " is " + sites.get(rank));
      }
    }
    return sites.size() <= DEVICES_PER_NODE
        ? PlayedMachine.real(sites.size())
        : Presets.dgx1V100().cluster(sites.size() / DEVICES_PER_NODE, NIC_BYTES_PER_SECOND);
  }
}
