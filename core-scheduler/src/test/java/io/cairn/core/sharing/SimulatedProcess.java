package io.cairn.core.sharing;

import io.cairn.core.protocol.VirtualTime;
import java.util.ArrayDeque;
import java.util.Deque;

/** A process that may be killed, or be stopped for long: what it missed happens when it wakes. */
final class SimulatedProcess {
  final String name;
  private final VirtualTime time;
  private final Deque<Runnable> missed = new ArrayDeque<>();
  private boolean alive = true;
  private boolean stopped;

  SimulatedProcess(String name, VirtualTime time) {
    this.name = name;
    this.time = time;
  }

  boolean alive() {
    return alive;
  }

  boolean running() {
    return alive && !stopped;
  }

  void die() {
    note("is killed");
    alive = false;
    missed.clear();
  }

  void stopFor(long millis) {
    note("is stopped for " + millis + " ms");
    stopped = true;
    time.after(millis, this::wake);
  }

  private void wake() {
    if (alive) {
      note("wakes");
    }
    stopped = false;
    while (alive && !stopped && !missed.isEmpty()) {
      missed.removeFirst().run();
    }
  }

  void after(long millis, Runnable action) {
    time.after(millis, () -> happen(action));
  }

  private void happen(Runnable action) {
    if (alive && stopped) {
      missed.addLast(action);
    } else if (alive) {
      action.run();
    }
  }

  void note(String what) {
    time.note(name, what);
  }
}
