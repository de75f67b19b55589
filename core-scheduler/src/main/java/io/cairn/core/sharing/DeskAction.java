package io.cairn.core.sharing;

/** An action that a {@link PlanDesk} asks its carrier for; actions come in order. */
public sealed interface DeskAction {
  /** Answer the open report of a rank on this holder; dropped if no report is open. */
  record Answer(String holder, PlanAnswer answer) implements DeskAction {}

  /** Send {@link DeskEvent.Clock} at this time; replaces the earlier wake-up. */
  record WakeAt(long nanos) implements DeskAction {}
}
