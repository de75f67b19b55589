package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param answer its members
 * @param schedule that reaches it, where actions are wanted
 * @param steps of the schedule
 */
record Solution(ObjectNode answer, @Nullable Schedule schedule, long steps) {
  static Solution of(ObjectNode answer) {
    return new Solution(answer, null, 0);
  }
}
