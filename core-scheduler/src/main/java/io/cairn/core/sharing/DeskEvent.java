package io.cairn.core.sharing;

/** What a {@link PlanDesk} reacts to: holders and ranks, and its own process. */
public sealed interface DeskEvent permits DeskMessage, DeskEvent.Local {
  /** Something that the desk's own process says. */
  sealed interface Local extends DeskEvent {}

  /** This holder has ended: nothing is planned to it any more, and its ranks are not answered. */
  record Gone(String holder) implements Local {}

  /** Time has passed. */
  record Clock() implements Local {}
}
