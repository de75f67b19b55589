package io.cairn.flush.store;

/** What {@link StoreOutput#sync()} and {@link CheckpointStore#publish} make a file survive. */
public enum Durability {
  /** The death of every process. The kernel has the bytes; nothing waits for a disk. */
  PROCESS,
  /** Also the loss of power: file and directory entries are forced to the medium. */
  MEDIA
}
