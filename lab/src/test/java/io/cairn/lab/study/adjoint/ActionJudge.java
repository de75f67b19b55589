package io.cairn.lab.study.adjoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs printed actions on a model of WORK and tiers, and rejects one that a program could not do. A
 * tape of one step in WORK belongs to its reversal, and costs nothing.
 */
final class ActionJudge {
  private static final long EMPTY = -1;

  private final long steps;
  private final int[] slots;
  private final List<Set<Long>> kept = new ArrayList<>();
  private final long[] writes;
  private final long[] reads;
  private long work;
  private long tape = EMPTY;
  private long reached;
  private long end;
  private long advances;
  private boolean forwardEnded;
  private boolean ended;

  private ActionJudge(long steps, int[] slots) {
    this.steps = steps;
    this.slots = slots.clone();
    end = steps;
    writes = new long[slots.length];
    reads = new long[slots.length];
    for (int i = 0; i < slots.length; i++) {
      kept.add(new HashSet<>());
    }
  }

  /**
   * The cost of all actions, reversals not counted.
   *
   * @param slots of each tier, -1 for as many as are wanted
   */
  static long cost(
      JsonNode actions, long steps, int[] slots, int[] writeCosts, int[] readCosts, long forward) {
    ActionJudge judge = new ActionJudge(steps, slots);
    actions.forEach(judge::act);
    assertThat(judge.ended).as("ends").isTrue();
    long cost = judge.advances * forward;
    for (int i = 0; i < slots.length; i++) {
      cost += judge.writes[i] * writeCosts[i] + judge.reads[i] * readCosts[i];
    }
    return cost;
  }

  private void act(JsonNode action) {
    assertThat(ended).as("%s after the end", action).isFalse();
    switch (action.required("action").asText()) {
      case "forward" -> forward(action);
      case "reverse" -> reverse(action);
      case "copy" -> read(action);
      case "move" -> {
        read(action);
        delete(action);
      }
      case "delete" -> delete(action);
      case "endForward" -> {
        assertThat(reached).as("steps run").isEqualTo(steps);
        assertThat(forwardEnded).isFalse();
        forwardEnded = true;
      }
      case "endReverse" -> {
        assertThat(end).as("steps not reversed").isZero();
        assertThat(kept).as("states left").allMatch(Set::isEmpty);
        ended = true;
      }
      default -> throw new AssertionError(action);
    }
  }

  private void forward(JsonNode action) {
    long from = action.required("from").asLong();
    long to = action.required("to").asLong();
    assertThat(work).as("%s", action).isEqualTo(from);
    assertThat(to).as("%s", action).isGreaterThan(from).isLessThanOrEqualTo(end);
    if (action.required("restart").asBoolean()) {
      int tier = action.required("store").asInt();
      assertThat(kept.get(tier).add(from)).as("%s", action).isTrue();
      assertThat(slots[tier] < 0 || kept.get(tier).size() <= slots[tier]).as("%s", action).isTrue();
      writes[tier]++;
    } else {
      assertThat(action.required("store").isNull()).as("%s", action).isTrue();
    }
    boolean taped = action.required("tape").asBoolean();
    assertThat(taped).as("%s", action).isEqualTo(to == end);
    tape = taped && to == from + 1 ? from : EMPTY;
    advances += taped ? 0 : to - from;
    work = to;
    reached = Math.max(reached, to);
  }

  private void reverse(JsonNode action) {
    long step = action.required("to").asLong();
    assertThat(action.required("from").asLong()).as("%s", action).isEqualTo(step + 1);
    assertThat(step).as("%s", action).isEqualTo(end - 1);
    assertThat(forwardEnded).as("%s", action).isTrue();
    assertThat(work == step || tape == step).as("%s", action).isTrue();
    work = EMPTY;
    tape = EMPTY;
    end--;
  }

  private void read(JsonNode action) {
    int tier = action.required("tier").asInt();
    long step = action.required("step").asLong();
    assertThat(action.required("to").isNull()).as("%s", action).isTrue();
    assertThat(kept.get(tier)).as("%s", action).contains(step);
    assertThat(work).as("%s", action).isEqualTo(EMPTY);
    work = step;
    reads[tier]++;
  }

  private void delete(JsonNode action) {
    Set<Long> states = kept.get(action.required("tier").asInt());
    assertThat(states.remove(action.required("step").asLong())).as("%s", action).isTrue();
  }
}
