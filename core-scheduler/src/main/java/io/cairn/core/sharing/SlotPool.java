package io.cairn.core.sharing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** Which slots are lent, which of those are open, and how many the trainer still wants back. */
final class SlotPool {
  private final int slots;
  private final BitSet lent = new BitSet();
  private final Deque<Integer> open = new ArrayDeque<>();
  private int wanted;

  SlotPool(int slots) {
    this.slots = slots;
  }

  /** All or none. */
  void lend(List<Integer> more) {
    for (int slot : more) {
      if (slot >= slots || lent.get(slot) || more.indexOf(slot) != more.lastIndexOf(slot)) {
        throw new IllegalArgumentException(
            "slot %d of %d cannot be lent: it is not the cache's own to lend, or named twice"
                .formatted(slot, slots));
      }
    }
    wanted = 0;
    more.forEach(lent::set);
    open.addAll(more);
  }

  int open() {
    return open.size();
  }

  int wanted() {
    return wanted;
  }

  /** Waits for so many in all; no more can ever come back than is lent. */
  void want(int count) {
    wanted = Math.min(Math.max(wanted, count), lent.cardinality());
  }

  List<Integer> take(int count) {
    List<Integer> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      taken.add(open.removeFirst());
    }
    return taken;
  }

  void open(List<Integer> freed) {
    open.addAll(freed);
  }

  /** Takes out what the trainer gets now; often nothing. */
  List<Integer> payBack() {
    List<Integer> back = take(Math.min(wanted, open.size()));
    back.forEach(lent::clear);
    wanted -= back.size();
    return back;
  }
}
