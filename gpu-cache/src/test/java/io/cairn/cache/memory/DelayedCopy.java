package io.cairn.cache.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One copy of a {@link DelayedDevice}, or work of a stream. Used under the device's lock. */
final class DelayedCopy {
  /** The moment of a copy that hangs. */
  static final long NEVER = Long.MAX_VALUE;

  private final long offset;
  private final long length;
  private final Runnable landing;
  private long due;
  private final @Nullable IOException failure;
  private boolean landed;
  private @Nullable Integer checksum;

  /** The work of a copy when it lands. */
  interface Landing {
    /** Returns the checksum, if one is computed. */
    @Nullable Integer land();
  }

  /**
   * A copy.
   *
   * @param offset of the device's memory that it uses
   * @param due the moment at which it lands
   * @param failure with which it ends instead
   */
  DelayedCopy(long offset, long length, long due, @Nullable IOException failure, Landing landing) {
    this.offset = offset;
    this.length = length;
    this.due = due;
    this.failure = failure;
    this.landing = () -> checksum = landing.land();
  }

  /** Whether it is over at this moment. */
  boolean lands(long now) {
    if (due > now) {
      return false;
    }
    landed = true;
    if (failure == null) {
      landing.run();
    }
    return true;
  }

  /** Whether it lands at no moment. */
  boolean hangs() {
    return due == NEVER;
  }

  /** Lands at this moment after all. */
  void endHang(long now) {
    due = hangs() ? now : due;
  }

  /** The moment at which it lands. */
  long due() {
    return due;
  }

  boolean uses(long from, long bytes) {
    return offset < from + bytes && from < offset + length;
  }

  boolean hasLanded() {
    return landed;
  }

  @Nullable IOException failure() {
    return failure;
  }

  int checksum() {
    if (!landed || failure != null || checksum == null) {
      throw new IllegalStateException("no checksum: not done, failed, or a copy to the host");
    }
    return checksum;
  }
}
