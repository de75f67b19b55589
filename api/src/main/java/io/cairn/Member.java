package io.cairn;

/**
 * One rank of a group of {@code size}: the index in the group, never an executor or an attempt.
 *
 * @param group the group
 * @param rank 0 to {@code size - 1}
 * @param size ranks in the group, at least 1
 */
public record Member(GroupId group, int rank, int size) {
  /** Checks that the rank lies within the group. */
  public Member {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank " + rank + " of a group of " + size + " (" + group + "): ranks are 0 to size - 1");
    }
  }

  @Override
  public String toString() {
    return group + " rank " + rank + "/" + size;
  }
}
