package io.cairn.training;

/**
 * When the loss of a training is in trouble, and how often it rolls back. Immutable.
 *
 * <p>A loss is in trouble if it is NaN or infinite, or exceeds {@code median + factor · spread} of
 * the last {@code window} sound losses. The spread is the largest of three: the median absolute
 * deviation times 1.4826, which is the standard deviation of normal noise; half the median; {@code
 * floor}. Ten losses are needed before a finite one counts as trouble, also after a resume.
 *
 * <p>Trouble rolls the training back to the newest checkpoint before it, with the same data and the
 * same rate. A fault of memory does not come back, so the training ends bit for bit as without it.
 * If the trouble comes back before the training has passed it, that checkpoint is no longer
 * trusted, and the next older one is restored. After {@code tries} roll-backs the last resort
 * follows.
 *
 * <p>The guard sees the loss alone. A changed weight that does not move the loss stays unnoticed
 * and is captured; a {@link Certifier} finds it.
 *
 * @param factor at least 1
 * @param floor a difference of losses that is never worth a roll-back, in units of the loss; more
 *     than 0. A tenth of a bad loss suits
 * @param window losses, 10 to 10 000
 * @param tries roll-backs with the same data and rate before the last resort, 1 to 100; as many
 *     with the last resort
 * @param lastResort against trouble that comes back
 */
public record TroubleGuard(
    double factor, double floor, int window, int tries, LastResort lastResort) {
  /** Ten spreads, a floor of 0.1, fifty losses, three tries, then the end. */
  public static final TroubleGuard DEFAULT = new TroubleGuard(10, 0.1, 50, 3, new LastResort.End());

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds; names it
   */
  public TroubleGuard {
    require(factor >= 1 && Double.isFinite(factor), "factor", factor, "at least 1");
    require(floor > 0 && Double.isFinite(floor), "floor", floor, "more than 0");
    require(window >= 10 && window <= 10_000, "window", window, "10 to 10000");
    require(tries >= 1 && tries <= 100, "tries", tries, "1 to 100");
  }

  private static void require(boolean legal, String name, Number value, String bounds) {
    if (!legal) {
      throw new IllegalArgumentException(name + " is " + value + ", must be " + bounds);
    }
  }

  /** The same with another number of tries. */
  public TroubleGuard withTries(int other) {
    return new TroubleGuard(factor, floor, window, other, lastResort);
  }

  /** The same with another floor. */
  public TroubleGuard withFloor(double other) {
    return new TroubleGuard(factor, other, window, tries, lastResort);
  }

  /** The same with another last resort. */
  public TroubleGuard withLastResort(LastResort other) {
    return new TroubleGuard(factor, floor, window, tries, other);
  }
}
