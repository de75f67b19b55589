package io.cairn.core.flow;

/**
 * Decides where a checkpoint's remainder goes. Deterministic: equal problems get equal answers. An
 * instance may keep working memory from call to call, so it belongs to one thread at a time.
 */
public interface FlowScheduler {
  /** A plan that ships every remainder, or why there is none. */
  FlowOutcome schedule(FlowProblem problem);
}
