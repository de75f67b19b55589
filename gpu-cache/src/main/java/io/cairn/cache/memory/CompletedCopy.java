package io.cairn.cache.memory;

/** A copy that was over when it returned. */
public record CompletedCopy(int checksum) implements CopyEvent {
  /** A completed copy from the device, which has no checksum. */
  public static final CopyEvent TO_HOST =
      new CopyEvent() {
        @Override
        public boolean isDone() {
          return true;
        }

        @Override
        public void await() {}

        @Override
        public int checksum() {
          throw new IllegalStateException("a copy to the host computes no checksum");
        }
      };

  @Override
  public boolean isDone() {
    return true;
  }

  @Override
  public void await() {}
}
