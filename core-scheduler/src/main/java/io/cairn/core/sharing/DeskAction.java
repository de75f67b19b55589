package io.cairn.core.sharing;

/** What a {@link PlanDesk} asks its carrier to do, in order. */
public sealed interface DeskAction {
  /** Answer the rank's report that waits, on this holder; dropped if none waits. */
  record Answer(String holder, PlanAnswer answer) implements DeskAction {}

  /** Come back with {@link DeskEvent.Clock} at this time, replacing what was said before. */
  record WakeAt(long nanos) implements DeskAction {}
}
