/**
 * Plans where the remainder of a checkpoint goes: to the spare device memory of peers, or to the
 * host, so that training is blocked for the least time.
 *
 * <p>A {@link io.cairn.core.flow.FlowProblem} states the remainder or spare of each device on a
 * {@link io.cairn.core.flow.Topology}. A {@link io.cairn.core.flow.FlowScheduler} answers with a
 * {@link io.cairn.core.flow.TransferPlan}, or with the reason why there is none. {@link
 * io.cairn.core.flow.ParametricFlowScheduler} is exact and the default; the other schedulers are
 * the published baseline and heuristics.
 *
 * <h2>Two families of exact solvers</h2>
 *
 * <ul>
 *   <li>{@code Matrix…}: a dense matrix of senders × receivers, for topologies without shared
 *       capacities. {@code MatrixSolver} finds the least time; {@code MatrixFlow} holds the flow,
 *       {@code MatrixSeed} starts it, and {@code MatrixAugmentation} completes it, with {@code
 *       MatrixResidual} and {@code MatrixLayers}.
 *   <li>{@code Network…}: a graph of edges, for shared capacities or few links. {@code
 *       NetworkSolver} finds the least time from {@code NetworkLowerBound} on; {@code NetworkModel}
 *       builds the graph in {@code NetworkFlow}, with {@code NetworkFabric} and {@code
 *       NetworkRoutes} between nodes; {@code NetworkAugmentation} completes the flow; {@code
 *       NetworkRefinement} and {@code NetworkReduction} let senders finish earlier.
 * </ul>
 *
 * <p>Both use {@code CutTime}, {@code Precision} and {@code PlanWriter}. Both compute Newton's
 * steps on minimum cuts. The families stay in one package, since a package of each would make the
 * inside of {@code FlowProblem} and {@code Topology} public.
 *
 * <p>All sizes are in bytes and all rates in bytes per second. The package does no I/O and has no
 * clock.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.flow;

import org.jspecify.annotations.NullMarked;
