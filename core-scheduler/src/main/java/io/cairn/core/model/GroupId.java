package io.cairn.core.model;

/**
 * A group of ranks that seal and roll back together, within a job. The job is configured and
 * outlives applications; the user names the group. Both are {@linkplain PathSegment one path
 * segment}.
 */
public record GroupId(String job, String group) {
  /** Checks both names. */
  public GroupId {
    PathSegment.require("job", job);
    PathSegment.require("group", group);
  }

  @Override
  public String toString() {
    return job + "/" + group;
  }
}
