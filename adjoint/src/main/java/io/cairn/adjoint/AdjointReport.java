package io.cairn.adjoint;

import java.time.Duration;

/**
 * The work of one call of {@link AdjointRunner#run}.
 *
 * @param resumedAt calls of the program, steps and reversals, that an earlier call had done; 0 for
 *     a fresh start
 * @param steps forward steps that were run
 * @param recomputed steps among them that replaced states which a kill had lost
 * @param reversals steps that were reversed
 * @param forward time until the last step had run
 * @param backward time from there to the end
 */
public record AdjointReport(
    long resumedAt,
    long steps,
    long recomputed,
    long reversals,
    Duration forward,
    Duration backward) {}
