package io.cairn.core.flow.topology;

/**
 * The rates of one GPU's links, in one direction. Immutable.
 *
 * <p>NVLink: the vendor's peak per link. P100: 4 links of 20 GB/s (whitepaper WP-08019), V100: 6 of
 * 25 (WP-08608), A100: 12 of 25 (A100 architecture whitepaper), H100: 18 of 25 (H100 architecture
 * whitepaper).
 *
 * <p>Host: the rate of a pinned copy over 16 PCIe lanes, some three quarters of the lanes' 15.75,
 * 31.5 and 63 GB/s. Generation 3: 12 (Maurya et al. 2021, for a DGX-1). Generation 4: 24 (CUDA's
 * bandwidthTest on an A100 shows 24.6 to the device and 26.3 from it). Generation 5: 48 (about 49
 * per GPU of a DGX H100, MLPerf Inference v3.1, {@code dgx-h100.md}).
 *
 * @param nvLinkBytesPerSecond of one NVLink, finite, above 0
 * @param nvLinks that one GPU has, 0 to 18
 * @param hostBytesPerSecond of the PCIe link to the host, finite, above 0
 */
public record LinkRates(double nvLinkBytesPerSecond, int nvLinks, double hostBytesPerSecond) {
  /** The most NVLinks that any GPU has. */
  static final int MOST_NV_LINKS = 18;

  /** NVLink 1, PCIe generation 3. */
  public static final LinkRates P100 = new LinkRates(20e9, 4, 12e9);

  /** NVLink 2, PCIe generation 3. */
  public static final LinkRates V100 = new LinkRates(25e9, 6, 12e9);

  /** NVLink 3, PCIe generation 4; also A800, which has 8 of the links. */
  public static final LinkRates A100 = new LinkRates(25e9, 12, 24e9);

  /** NVLink 4, PCIe generation 5; also H200, H800 and H20. */
  public static final LinkRates H100 = new LinkRates(25e9, 18, 48e9);

  /**
   * For an unknown GPU: 25 GB/s per NVLink, as three of four generations have, and the most links
   * of any generation. The host link is the slowest, so that no plan overestimates the host's rate.
   */
  public static final LinkRates UNKNOWN = new LinkRates(25e9, MOST_NV_LINKS, 12e9);

  /** Checks the ranges. */
  public LinkRates {
    positive(nvLinkBytesPerSecond, "the rate of an NVLink");
    positive(hostBytesPerSecond, "the rate of the host link");
    if (nvLinks < 0 || nvLinks > MOST_NV_LINKS) {
      throw new IllegalArgumentException(
          "a GPU has 0 to " + MOST_NV_LINKS + " NVLinks, not " + nvLinks);
    }
  }

  /** All NVLinks of one GPU together. */
  double allNvLinks() {
    return nvLinks * nvLinkBytesPerSecond;
  }

  private static void positive(double bytesPerSecond, String what) {
    if (!(bytesPerSecond > 0) || bytesPerSecond == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          what + " must be finite and above 0, but is " + bytesPerSecond + " bytes/s");
    }
  }
}
