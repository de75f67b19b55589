package io.cairn.core.protocol;

import java.util.List;

/**
 * How an epoch stands at STORE. Immutable.
 *
 * @param claimed whether STORE has the claim of the epoch; until then nothing of it goes below
 *     DEVICE
 * @param by names the coordinator, for this life of it
 * @param first the first epoch that this coordinator began, so that no later one is of an earlier
 *     run; {@link Long#MAX_VALUE} if it is unknown
 * @param vouched the epochs that this coordinator began without a claim, rising. No other attempt
 *     has their numbers, so copies of them at DEVICE count. Of one that is not named they do not
 */
public record Standing(boolean claimed, String by, long first, List<Long> vouched) {
  /** A claimed epoch of a coordinator that began none without a claim. */
  public static final Standing CLAIMED = new Standing(true, "", Long.MAX_VALUE, List.of());

  /** Copies the list. */
  public Standing {
    vouched = List.copyOf(vouched);
  }

  /** The same, with the claim. */
  public Standing asClaimed() {
    return new Standing(true, by, first, vouched);
  }
}
