package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;

/** Actions in the shape of the Python package {@code checkpoint_schedules}. */
final class ActionJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ActionJson() {}

  /**
   * All actions. The last step runs, with its tape in WORK, before the forward phase ends: in a
   * schedule of Cairn that run belongs to its reversal.
   */
  static ArrayNode list(Schedule schedule, long steps) {
    ArrayNode actions = NODES.arrayNode();
    schedule
        .actions()
        .forEachRemaining(
            action -> {
              if (action instanceof Action.EndForward) {
                actions.add(forward(steps - 1, steps, false, true, Action.WORK));
              }
              actions.add(node(action));
            });
    return actions;
  }

  private static ObjectNode node(Action action) {
    if (action instanceof Action.Forward run) {
      return forward(run.from(), run.to(), run.restart(), run.tape(), run.tier());
    } else if (action instanceof Action.Reverse reverse) {
      return named("reverse").put("from", reverse.step() + 1).put("to", reverse.step());
    } else if (action instanceof Action.Copy copy) {
      return onTier("copy", copy.step(), copy.tier()).putNull("to");
    } else if (action instanceof Action.Move move) {
      return onTier("move", move.step(), move.tier()).putNull("to");
    } else if (action instanceof Action.Delete delete) {
      return onTier("delete", delete.step(), delete.tier());
    }
    return named(action instanceof Action.EndForward ? "endForward" : "endReverse");
  }

  private static ObjectNode forward(long from, long to, boolean restart, boolean tape, int tier) {
    ObjectNode node = named("forward").put("from", from).put("to", to);
    node.put("restart", restart).put("tape", tape);
    return tier == Action.WORK ? node.putNull("store") : node.put("store", tier);
  }

  private static ObjectNode onTier(String name, long step, int tier) {
    return named(name).put("step", step).put("tier", tier);
  }

  private static ObjectNode named(String name) {
    return NODES.objectNode().put("action", name);
  }
}
