package io.cairn.core.flow;

/**
 * The exact optimum, with the cut that proves it.
 *
 * <p>Problem: bytes x from senders to receivers and hosts, such that every remainder leaves, no
 * spare is overdrawn, and the longest x ÷ rate over all links and shared capacities is least. Every
 * limit is a capacity that grows with the time T, so the optimum is the least T at which a maximum
 * flow ships all; by maximum flow and minimum cut it is the greatest, over sets A of senders and R
 * of receivers, of (bytes of A − spare of R) ÷ (capacities from A to elsewhere). Newton's method on
 * such cuts, over a flow that is kept from step to step, needs a handful of maximum flows.
 *
 * <p>O(links) per path length and step; no published bound is better than that of parametric flows
 * by binary search, in practice it is a few passes over the links. Source: the model of Maurya et
 * al. 2021, extended by shared capacities; Newton's method for linear fractional combinatorial
 * optimisation (Dinkelbach 1967, Radzik 1992), with Dinic's maximum flow. It honours all of {@link
 * Topology}. Optima are not unique; which one is returned depends on the order of devices only.
 *
 * <p>Keeps its working memory, and allocates nothing but the plan once it has seen a problem of the
 * size; one thread at a time.
 */
public final class ParametricFlowScheduler implements FlowScheduler {
  /** Few links between more devices than this are an edge each, not a matrix. */
  private static final int LARGEST_MATRIX = 256;

  private final boolean wholeChunks;
  private final boolean lexicographic;
  private final MatrixSolver matrix = new MatrixSolver();
  private final NetworkSolver network = new NetworkSolver();

  /** Plans in bytes, without refinement. */
  public ParametricFlowScheduler() {
    this(false, false);
  }

  /**
   * @param wholeChunks whether every transfer is in whole chunks, of which the last of a sender may
   *     be short: it still takes a slot and the time of a whole one
   * @param lexicographic whether each sender also finishes as early as the later ones allow, not
   *     only by the blocking time
   */
  public ParametricFlowScheduler(boolean wholeChunks, boolean lexicographic) {
    this.wholeChunks = wholeChunks;
    this.lexicographic = lexicographic;
  }

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    Topology topology = problem.topology();
    boolean fewLinks =
        topology.links() instanceof Links.Sparse && problem.devices() > LARGEST_MATRIX;
    if (!topology.hasSharedCapacities() && !fewLinks) {
      return matrix.solve(problem, wholeChunks, lexicographic);
    }
    return lexicographic
        ? new NetworkRefinement(network).solve(problem, wholeChunks)
        : network.solve(problem, wholeChunks);
  }
}
