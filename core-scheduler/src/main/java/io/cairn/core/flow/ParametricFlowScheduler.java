package io.cairn.core.flow;

/**
 * The exact optimum, with the cut that proves it. It honours all of {@link Topology}. Optima are
 * not unique; the choice depends on the order of devices only.
 *
 * <p>Problem: find bytes x from senders to receivers and hosts. Every remainder is sent, no spare
 * is overdrawn, and the longest x ÷ rate over all links and shared capacities is least.
 *
 * <p>Method: every limit is a capacity that grows with the time T, so the optimum is the least T at
 * which a maximum flow ships all. By maximum flow and minimum cut it is a maximum over sets A of
 * senders and R of receivers: (bytes of A − spare of R) ÷ (capacities from A to elsewhere).
 * Newton's method on such cuts keeps the flow from step to step, and needs few maximum flows.
 *
 * <p>Complexity: O(links) per path length and step. No published bound is better than that of
 * parametric flows by binary search; in practice it is a few passes over the links. Sources: the
 * model of Maurya et al. 2021, extended by shared capacities; Newton's method for linear fractional
 * combinatorial optimisation (Dinkelbach 1967, Radzik 1992); Dinic's maximum flow.
 *
 * <p>Keeps its working memory, and allocates only the plan once it has solved a problem of the same
 * size. One thread at a time.
 */
public final class ParametricFlowScheduler implements FlowScheduler {
  /** The most devices whose sparse links are solved as a matrix. */
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
