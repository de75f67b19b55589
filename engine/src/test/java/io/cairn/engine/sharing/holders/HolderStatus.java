package io.cairn.engine.sharing.holders;

import java.util.Arrays;

/**
 * The state of a holder, as it reports it.
 *
 * @param lent slots that are out of its cache, of which {@code leased} are being written, {@code
 *     held} are verified, and {@code quarantined} have no promise any more
 * @param leases of others' slots that it uses
 * @param withdrawals of its checkpoints, for a lender lost its part
 * @param evictions from its cache
 * @param free slots of its cache
 * @param checkpoints of its rank that are complete at DEVICE
 */
record HolderStatus(
    int lent,
    int leased,
    int held,
    int quarantined,
    int leases,
    int withdrawals,
    int evictions,
    int free,
    int checkpoints) {
  static HolderStatus of(String line) {
    int[] n = Arrays.stream(line.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    return new HolderStatus(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
  }
}
