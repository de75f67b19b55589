package io.cairn.adjoint.schedule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The least time with one tier below tier 0, by a search through everything that can be done: what
 * is under way, what lies where, and which steps are left. For few steps and small whole times.
 *
 * <p>Nothing begins but when something ends, since an earlier begin harms nothing.
 */
final class OverlapOracle {
  private static final int NONE = 15;
  private static final int IDLE = 0;
  private static final int FORWARD = 1;
  private static final int REVERSE = 2;
  private static final int STORE = 3;

  /** And the number of the state. */
  private static final int RESTORE = 4;

  private final int steps;
  private final Tier device;
  private final Tier below;
  private final int forward;
  private final int backward;
  private final List<List<Node>> queue = new ArrayList<>();
  private final Set<Long> settled = new HashSet<>();
  private int time;

  private OverlapOracle(int steps, List<Tier> tiers, int forward, int backward) {
    this.steps = steps;
    this.forward = forward;
    this.backward = backward;
    device = tiers.get(0);
    below = tiers.get(1);
  }

  static long time(int steps, List<Tier> tiers, int forward, int backward) {
    return new OverlapOracle(steps, tiers, forward, backward).search();
  }

  /** Masks of states, and what is under way with the time that it still takes. */
  private record Node(
      int work,
      int end,
      int above,
      int under,
      int act,
      int actLeft,
      int down,
      int downLeft,
      int up,
      int upLeft) {
    long key() {
      long key = work;
      key = key << 4 | end;
      key = key << 8 | above;
      key = key << 8 | under;
      key = key << 4 | act;
      key = key << 6 | actLeft;
      key = key << 4 | down;
      key = key << 6 | downLeft;
      key = key << 4 | up;
      return key << 6 | upLeft;
    }

    boolean hasAbove(int state) {
      return (above >> state & 1) != 0;
    }

    boolean hasUnder(int state) {
      return (under >> state & 1) != 0;
    }

    int slotsAbove() {
      return Integer.bitCount(above) + (act == STORE ? 1 : 0) + (up == NONE ? 0 : 1);
    }

    int slotsUnder() {
      return Integer.bitCount(under) + (down == NONE ? 0 : 1);
    }

    Node acting(int newAct, int left) {
      return new Node(work, end, above, under, newAct, left, down, downLeft, up, upLeft);
    }

    Node sending(int state, int left) {
      return new Node(work, end, above, under, act, actLeft, state, left, up, upLeft);
    }

    Node bringing(int state, int left) {
      return new Node(work, end, above, under, act, actLeft, down, downLeft, state, left);
    }

    Node holding(int newAbove, int newUnder) {
      return new Node(work, end, newAbove, newUnder, act, actLeft, down, downLeft, up, upLeft);
    }

    /** With what has just ended done, and what no step needs dropped. */
    Node settled() {
      Node next = this;
      if (act != IDLE && actLeft == 0) {
        next = next.acted();
      }
      if (next.down != NONE && next.downLeft == 0) {
        next = next.holding(next.above, next.under | 1 << next.down).sending(NONE, 0);
      }
      if (next.up != NONE && next.upLeft == 0) {
        next = next.holding(next.above | 1 << next.up, next.under).bringing(NONE, 0);
      }
      int needed = (1 << next.end) - 1;
      int leaving = next.down == NONE ? 0 : 1 << next.down;
      int coming = next.up == NONE ? 0 : 1 << next.up;
      return next.holding(next.above & (needed | leaving), next.under & (needed | coming));
    }

    private Node acted() {
      return switch (act) {
        case FORWARD -> new Node(work + 1, end, above, under, IDLE, 0, down, downLeft, up, upLeft);
        case REVERSE -> new Node(NONE, end - 1, above, under, IDLE, 0, down, downLeft, up, upLeft);
        case STORE ->
            new Node(work, end, above | 1 << work, under, IDLE, 0, down, downLeft, up, upLeft);
        default -> new Node(act - RESTORE, end, above, under, IDLE, 0, down, downLeft, up, upLeft);
      };
    }

    Node after(int passed) {
      return new Node(
          work,
          end,
          above,
          under,
          act,
          act == IDLE ? 0 : actLeft - passed,
          down,
          down == NONE ? 0 : downLeft - passed,
          up,
          up == NONE ? 0 : upLeft - passed);
    }
  }

  private long search() {
    push(0, new Node(0, steps, 0, 0, IDLE, 0, NONE, 0, NONE, 0));
    for (int bound = 0; bound < queue.size(); bound++) {
      List<Node> level = queue.get(bound);
      // Decisions take no time, so the level grows.
      for (int i = 0; i < level.size(); i++) {
        Node node = level.get(i);
        if (settled.add(node.key())) {
          if (node.end == 0) {
            return bound;
          }
          time = bound - rest(node);
          expand(node);
        }
      }
      queue.set(bound, List.of());
    }
    throw new IllegalStateException("no way to the end");
  }

  /** Reversals to come. */
  private int rest(Node node) {
    return node.end * backward - (node.act == REVERSE ? backward - node.actLeft : 0);
  }

  private void push(int at, Node begun) {
    Node node = begun.settled();
    int bound = at + rest(node);
    while (queue.size() <= bound) {
      queue.add(new ArrayList<>());
    }
    queue.get(bound).add(node);
  }

  private void expand(Node node) {
    if (node.act == IDLE) {
      act(node);
    }
    boolean roomAbove = node.slotsAbove() < device.slots();
    boolean roomUnder = below.slots() < 0 || node.slotsUnder() < below.slots();
    for (int state = 0; state < node.end; state++) {
      boolean above = node.hasAbove(state);
      boolean under = node.hasUnder(state);
      if (node.down == NONE && above && !under && roomUnder) {
        push(time, node.sending(state, (int) below.writeCost()));
      }
      if (node.up == NONE && under && !above && roomAbove) {
        push(time, node.bringing(state, (int) below.readCost()));
      }
      if (above && !roomAbove && state != node.down && node.act != RESTORE + state) {
        push(time, node.holding(node.above & ~(1 << state), node.under));
      }
      if (under && !roomUnder && state != node.up) {
        push(time, node.holding(node.above, node.under & ~(1 << state)));
      }
    }
    pass(node);
  }

  private void act(Node node) {
    if (node.work != NONE) {
      if (node.work == node.end - 1) {
        push(time, node.acting(REVERSE, backward));
      } else {
        push(time, node.acting(FORWARD, forward));
      }
      if (!node.hasAbove(node.work) && node.up != node.work && node.slotsAbove() < device.slots()) {
        push(time, node.acting(STORE, (int) device.writeCost()));
      }
    }
    for (int state = 0; state < node.end; state++) {
      if (node.hasAbove(state) && state != node.work) {
        push(time, node.acting(RESTORE + state, (int) device.readCost()));
      }
    }
  }

  private void pass(Node node) {
    int passed = Integer.MAX_VALUE;
    passed = node.act == IDLE ? passed : Math.min(passed, node.actLeft);
    passed = node.down == NONE ? passed : Math.min(passed, node.downLeft);
    passed = node.up == NONE ? passed : Math.min(passed, node.upLeft);
    if (passed < Integer.MAX_VALUE) {
      push(time + passed, node.after(passed));
    }
  }
}
