package io.cairn.core.model;

/**
 * The place of a copy of a checkpoint, ordered by the failures that it survives. A failure of level
 * ℓ rolls a group back to its newest checkpoint sealed at a level ≥ ℓ.
 */
public enum Level {
  /** The executors' device caches: survives errors that leave the executors alive. Revocable. */
  DEVICE,
  /** Shared memory or disk of the node: survives the death of every process, not of the machine. */
  NODE,
  /** Other nodes: survives the loss of as many nodes as the redundancy scheme allows. */
  PEER,
  /** HDFS or any Hadoop file system: survives the loss of everything else. */
  STORE
}
