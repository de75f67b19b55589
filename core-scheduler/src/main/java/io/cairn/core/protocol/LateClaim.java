package io.cairn.core.protocol;

/**
 * The claim of an epoch that began without one, since STORE took no file. Each report of a rank
 * asks the carrier to make it, so a group that does nothing any more claims nothing. Not
 * thread-safe; one per epoch.
 */
final class LateClaim {
  private final long epoch;
  private final ActionList actions;
  private Standing standing;
  private boolean asked;

  /**
   * Nothing is asked yet.
   *
   * @param standing of the epoch when it begins
   */
  LateClaim(long epoch, Standing standing, ActionList actions) {
    this.epoch = epoch;
    this.standing = standing;
    this.actions = actions;
  }

  /** How the epoch stands now. */
  Standing standing() {
    return standing;
  }

  /** A rank has reported something: it lives. */
  void reported() {
    if (!standing.claimed() && !asked) {
      asked = true;
      actions.add(new CoordinatorAction.ClaimAgain(epoch));
    }
  }

  /** The carrier has tried; returns whether the epoch is claimed since then. */
  boolean ended(CoordinatorEvent.ClaimEnded tried) {
    if (tried.epoch() != epoch || standing.claimed()) {
      return false;
    }
    asked = false;
    if (tried.claimed()) {
      standing = standing.asClaimed();
    }
    return tried.claimed();
  }
}
