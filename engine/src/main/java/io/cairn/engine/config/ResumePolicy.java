package io.cairn.engine.config;

/** Whether a program resumes from checkpoints of earlier starts. */
public enum ResumePolicy {
  /** Resumes if there is a checkpoint, and starts afresh otherwise. */
  AUTO,

  /** Resumes, or refuses to start. */
  REQUIRE,

  /** Starts afresh: checkpoints of earlier runs do not count. A retry within the run resumes. */
  NEVER
}
