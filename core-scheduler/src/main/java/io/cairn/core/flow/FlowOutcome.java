package io.cairn.core.flow;

/** The answer of a scheduler: a plan, or the reason why it found none. */
public sealed interface FlowOutcome permits TransferPlan, Infeasible {}
