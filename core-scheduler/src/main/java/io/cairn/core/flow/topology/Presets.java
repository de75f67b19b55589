package io.cairn.core.flow.topology;

import java.util.Arrays;

/**
 * Machines whose links are public. {@link PresetNames} finds them by name. Thread-safe.
 *
 * <p>{@link LinkRates} has the rates per GPU and their sources. An NVSwitch connects every pair at
 * the rate of all links of one GPU. The same rate bounds the traffic of a GPU with all others, so
 * each device has an egress and an ingress cap.
 */
public final class Presets {
  /** The most GPUs of one NVLink domain of generation 5. */
  private static final int LARGEST_NVSWITCH = 576;

  /** The links between the eight V100 of a DGX-1; each GPU has six. */
  private static final int[][] CUBE_MESH = {
    {0, 1, 1, 2, 2, 0, 0, 0},
    {1, 0, 2, 1, 0, 2, 0, 0},
    {1, 2, 0, 2, 0, 0, 1, 0},
    {2, 1, 2, 0, 0, 0, 0, 1},
    {2, 0, 0, 0, 0, 1, 1, 2},
    {0, 2, 0, 0, 1, 0, 2, 1},
    {0, 0, 1, 0, 1, 2, 0, 2},
    {0, 0, 0, 1, 2, 1, 2, 0}
  };

  /** The rate of one NVLink of a V100 in Maurya et al. 2021, just below its peak of 25 GB/s. */
  private static final double PAPER_NVLINK = 24e9;

  private Presets() {}

  /**
   * The DGX-1 of Maurya et al. 2021, Figure 1: V100s in a hybrid cube mesh, 24 GB/s over a single
   * and 48 over a double NVLink. Each GPU has 12 GB/s to the host over a PCIe link of its own. It
   * serves to compare with published results; {@link #dgx1V100} is the real machine.
   */
  public static Machine dgx1() {
    return cubeMesh(2, PAPER_NVLINK, LinkRates.V100.hostBytesPerSecond(), 1);
  }

  /** {@link #dgx1}, but two GPUs behind one PCIe switch share 12 GB/s. */
  public static Machine dgx1SharedHost() {
    return cubeMesh(2, PAPER_NVLINK, LinkRates.V100.hostBytesPerSecond(), 2);
  }

  /**
   * A DGX-1 with V100 as built: 25 GB/s per NVLink, single and double, and pairs of GPUs behind one
   * PCIe switch (DGX-1 system architecture whitepaper WP-08437).
   */
  public static Machine dgx1V100() {
    return cubeMesh(
        2, LinkRates.V100.nvLinkBytesPerSecond(), LinkRates.V100.hostBytesPerSecond(), 2);
  }

  /**
   * A DGX-1 with P100 as built: the same mesh with one NVLink of 20 GB/s wherever the V100 has any,
   * four per GPU. Pairs of GPUs are behind one PCIe switch (WP-08437).
   */
  public static Machine dgx1P100() {
    return cubeMesh(
        1, LinkRates.P100.nvLinkBytesPerSecond(), LinkRates.P100.hostBytesPerSecond(), 2);
  }

  /**
   * A DGX-2: 16 V100 behind NVSwitches, 150 GB/s per GPU ("NVSwitch Accelerates NVIDIA DGX-2",
   * developer.nvidia.com). Four GPUs are behind one PCIe uplink. The PIX and PXB entries between
   * GPUs and network cards in published output show it (github.com/NVIDIA/nccl-tests/issues/78).
   */
  public static Machine dgx2() {
    return switched(16, LinkRates.V100, true, 4);
  }

  /**
   * An HGX A100, as in a DGX A100: 8 GPUs behind NVSwitches, 300 GB/s per GPU, each pair behind one
   * PCIe generation 4 switch (MLPerf Inference v3.0, {@code dgx-a100.md}).
   */
  public static Machine hgxA100() {
    return switched(8, LinkRates.A100, true, 2);
  }

  /**
   * A DGX H100: 8 GPUs behind NVSwitches, 450 GB/s per GPU, each with its own PCIe generation 5
   * link to the host (DGX H100 user guide; MLPerf Inference v3.1, {@code dgx-h100.md}).
   */
  public static Machine dgxH100() {
    return switched(8, LinkRates.H100, true, 1);
  }

  /**
   * V100s behind one NVSwitch fabric, of any number: a DGX-2 grown or shrunk, for studies of scale.
   * 150 GB/s per pair and per device, 12 GB/s from each device to the host, none shared.
   *
   * @param devices 2 to 576
   */
  public static Machine nvSwitch(int devices) {
    return switched(devices, LinkRates.V100, true, 1);
  }

  /**
   * {@link #nvSwitch} without caps: every pair has 150 GB/s at the same time, which no switch
   * delivers. It shows the error of a schedule without caps.
   *
   * @param devices 2 to 576
   */
  public static Machine nvSwitchUncapped(int devices) {
    return switched(devices, LinkRates.V100, false, 1);
  }

  private static Machine cubeMesh(int mostLinks, double perLink, double host, int perSwitch) {
    double[][] rates = new double[CUBE_MESH.length][CUBE_MESH.length];
    for (int device = 0; device < rates.length; device++) {
      for (int peer = 0; peer < rates.length; peer++) {
        rates[device][peer] = Math.min(mostLinks, CUBE_MESH[device][peer]) * perLink;
      }
    }
    return new Machine(rates, Double.POSITIVE_INFINITY, host, perSwitch);
  }

  private static Machine switched(int devices, LinkRates rates, boolean capped, int perSwitch) {
    if (devices < 2 || devices > LARGEST_NVSWITCH) {
      throw new IllegalArgumentException(
          "an NVSwitch connects 2 to " + LARGEST_NVSWITCH + " devices, not " + devices);
    }
    double[][] links = new double[devices][devices];
    for (int device = 0; device < devices; device++) {
      Arrays.fill(links[device], rates.allNvLinks());
      links[device][device] = 0;
    }
    double cap = capped ? rates.allNvLinks() : Double.POSITIVE_INFINITY;
    return new Machine(links, cap, rates.hostBytesPerSecond(), perSwitch);
  }
}
