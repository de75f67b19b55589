package io.cairn.core.flow;

/** What a scheduler answers: a plan, or that it found none. */
public sealed interface FlowOutcome permits TransferPlan, Infeasible {}
