package io.cairn.flush.store;

/**
 * The event that a file survives after {@link StoreOutput#sync()} or {@link
 * CheckpointStore#publish}.
 */
public enum Durability {
  /** Death of every process. The kernel has the bytes; nothing waits for a disk. */
  PROCESS,
  /** Also loss of power: file and directory entries are forced to the medium. */
  MEDIA
}
