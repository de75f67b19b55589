package io.cairn;

import io.cairn.internal.PathSegment;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks that seal and roll back together, within a job. The job is configured and
 * outlives applications; the user names the group. Both are 1 to 128 letters, digits, '.', '_' and
 * '-', starting with a letter or a digit.
 */
public record GroupId(String job, String group) {
  /** Checks both names. */
  public GroupId {
    PathSegment.require("job", job);
    PathSegment.require("group", group);
  }

  /** Written out, as that of {@link CheckpointId}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupId that && group.equals(that.group) && job.equals(that.job));
  }

  @Override
  public int hashCode() {
    return 31 * job.hashCode() + group.hashCode();
  }

  @Override
  public String toString() {
    return job + "/" + group;
  }
}
