package io.cairn.lab.study.pattern;

/** Assumptions of a calculation about costs and failures beyond the levels' numbers. Immutable. */
public record PatternAssumptions(CostModel costs, FailureModel failures, RecoveryCost recovery) {
  /** Costs that stand by themselves, failures at any time, recoveries that fill lower levels. */
  public static final PatternAssumptions DEFAULT =
      new PatternAssumptions(
          CostModel.INDEPENDENT, FailureModel.EVERYWHERE, RecoveryCost.CUMULATIVE);
}
