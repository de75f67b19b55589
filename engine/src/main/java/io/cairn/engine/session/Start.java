package io.cairn.engine.session;

import io.cairn.core.session.ResumePolicy;

/**
 * How the ranks of a process start.
 *
 * @param label the user's name for what is trained; may be empty
 * @param run the same in all processes of this run, another at each start
 * @param policy which checkpoints they resume from
 */
public record Start(String label, String run, ResumePolicy policy) {}
