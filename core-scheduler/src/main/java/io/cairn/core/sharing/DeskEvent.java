package io.cairn.core.sharing;

/** An event of a {@link PlanDesk}: a message of a holder, or an event of its own process. */
public sealed interface DeskEvent permits DeskMessage, DeskEvent.Local {
  /** An event of the desk's own process. */
  sealed interface Local extends DeskEvent {}

  /** This holder has ended. The desk plans nothing to it and answers none of its ranks. */
  record Gone(String holder) implements Local {}

  /** Time has passed. */
  record Clock() implements Local {}
}
