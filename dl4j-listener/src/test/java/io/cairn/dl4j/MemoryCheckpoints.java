package io.cairn.dl4j;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.util.Map;
import java.util.TreeMap;

/** One group's checkpoints as copies of bytes; they survive the processes of a test. */
final class MemoryCheckpoints {
  final GroupId group = new GroupId("job", "fold-0");
  final TreeMap<CheckpointId, Map<String, byte[]>> checkpoints = new TreeMap<>();
  final Map<CheckpointId, Map<String, String>> programs = new TreeMap<>();
  private long epoch;

  /** The group's rank, in a new epoch. */
  MemoryCheckpointer join() {
    return new MemoryCheckpointer(this, nextEpoch());
  }

  long nextEpoch() {
    return ++epoch;
  }
}
