/**
 * Where a checkpoint's remainder goes: which peer's spare device memory over which link, and how
 * much to the host, so that the time in which training is blocked is least.
 *
 * <p>{@link io.cairn.core.flow.FlowProblem} states what each device has left over or free on a
 * {@link io.cairn.core.flow.Topology}; a {@link io.cairn.core.flow.FlowScheduler} answers with a
 * {@link io.cairn.core.flow.TransferPlan}, or says why there is none. {@link
 * io.cairn.core.flow.ParametricFlowScheduler} is exact and the default; the others are the
 * published baseline and heuristics that it is measured against. {@link
 * io.cairn.core.flow.PlanCheck} judges plans and certificates without trusting any of them.
 *
 * <p>Bytes and bytes per second throughout. Nothing here moves a byte, reads a file or a clock.
 */
@NullMarked
package io.cairn.core.flow;

import org.jspecify.annotations.NullMarked;
