package io.cairn.core.flow;

/**
 * Plans where the remainder of a checkpoint goes. Deterministic: equal problems get equal answers.
 * Not thread-safe: an instance may keep working memory from call to call.
 */
public interface FlowScheduler {
  /** A plan that ships every remainder, or the reason why there is none. */
  FlowOutcome schedule(FlowProblem problem);
}
