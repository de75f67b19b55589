package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Chunks at home, at peers and in host memory, on a kind of device: random sequences checked after
 * every step. A subclass per kind.
 */
public abstract class PlacementContract {
  private static final int NODES = 3;
  private static final int STEPS = 120;

  private final int seeds;

  /** So many sequences. */
  protected PlacementContract(int seeds) {
    this.seeds = seeds;
  }

  /**
   * A device that opens what the others of its seed export.
   *
   * @param node 0 to 2
   */
  protected abstract DeviceMemory openDevice(int node, int bytes, long seed) throws IOException;

  /** Host memory beside it. */
  protected abstract DeviceMemory openHost(int node, int bytes, long seed) throws IOException;

  @Test
  void everyByteIsFoundWhereverItLiesAndNoSlotIsInTwoHands() throws Exception {
    int moved = 0;
    int spread = 0;
    int shrunk = 0;
    for (long seed = 0; seed < seeds; seed++) {
      PlacementModel model = run(seed);
      moved += model.moved();
      spread += model.spread();
      shrunk += model.shrunk();
    }
    assertThat(moved).as("moves").isGreaterThan(seeds / 4);
    assertThat(spread).as("checkpoints at several peers").isGreaterThan(seeds / 4);
    requireShrunk(shrunk, seeds);
  }

  /**
   * Checks how many slabs were given up; none by default.
   *
   * @param seeds the number of sequences
   */
  protected void requireShrunk(int slabs, int seeds) {
    assertThat(slabs).isZero();
  }

  private PlacementModel run(long seed) throws Exception {
    List<PlacementNode> nodes = new ArrayList<>();
    try {
      for (int node = 0; node < NODES; node++) {
        nodes.add(
            new PlacementNode(
                node,
                openDevice(node, PlacementNode.SLOTS * PlacementNode.CHUNK_BYTES, seed),
                openHost(node, PlacementNode.HOST_SLOTS * PlacementNode.CHUNK_BYTES, seed)));
      }
      PlacementModel model = new PlacementModel(nodes, seed);
      for (int step = 0; step < STEPS; step++) {
        checkedStep(model, seed, step);
      }
      model.end();
      return model;
    } finally {
      nodes.forEach(PlacementNode::close);
    }
  }

  private static void checkedStep(PlacementModel model, long seed, int step) throws Exception {
    String operation = "the first";
    try {
      operation = model.step();
      model.check();
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError("seed " + seed + ", step " + step + ", at " + operation, e);
    }
  }
}
