package io.cairn.core.protocol;

import io.cairn.core.protocol.CoordinatorAction.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The actions that one event leads to, in order. Not thread-safe. */
final class ActionList {
  private final List<CoordinatorAction> actions = new ArrayList<>();

  void clear() {
    actions.clear();
  }

  void add(CoordinatorAction action) {
    actions.add(action);
  }

  /** Sends a message to one incarnation. */
  void send(int rank, String incarnation, CoordinatorMessage message) {
    actions.add(new Send(rank, incarnation, message));
  }

  /** Sends one message to these incarnations, by rank. */
  void sendAll(Map<Integer, String> ranks, CoordinatorMessage message) {
    ranks.forEach((rank, incarnation) -> send(rank, incarnation, message));
  }

  /** An immutable copy. */
  List<CoordinatorAction> copy() {
    return List.copyOf(actions);
  }
}
