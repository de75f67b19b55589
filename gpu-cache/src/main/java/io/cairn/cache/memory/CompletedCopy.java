package io.cairn.cache.memory;

/** Copies that had ended well when their call returned. */
public final class CompletedCopy implements CopyEvent {
  /** A completed copy from the device, which has no checksum. */
  public static final CopyEvent TO_HOST = new CompletedCopy();

  private final int[] checksums;

  /**
   * Completed copies.
   *
   * @param checksums of the chunks in their order; taken over, not copied
   */
  public CompletedCopy(int... checksums) {
    this.checksums = checksums;
  }

  @Override
  public boolean isDone() {
    return true;
  }

  @Override
  public void await() {}

  @Override
  public int checksum(int chunk) {
    if (checksums.length == 0) {
      throw new IllegalStateException("a copy to the host computes no checksum");
    }
    return checksums[chunk];
  }
}
