package io.cairn.core.protocol;

import io.cairn.core.protocol.SimulatedFiles.Content;
import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A process that may die at any moment, or be stopped for long and wake up as a zombie, which then
 * receives pending answers. Requests that it sent are applied in any case.
 */
final class SimulatedProcess {
  final String name;
  private final VirtualTime time;
  private final SimulatedStore store;
  private final Deque<Runnable> missed = new ArrayDeque<>();
  private boolean alive = true;
  private boolean stopped;

  SimulatedProcess(String name, VirtualTime time, SimulatedStore store) {
    this.name = name;
    this.time = time;
    this.store = store;
  }

  boolean alive() {
    return alive;
  }

  boolean stopped() {
    return stopped;
  }

  void die(String why) {
    note("ends: " + why);
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
    while (!stopped && !missed.isEmpty()) {
      missed.removeFirst().run();
    }
  }

  void note(String what) {
    time.note(name, what);
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

  private void ask(String what, Supplier<Reply> operation, Consumer<Reply> then) {
    store.send(name, what, operation, reply -> happen(() -> then.accept(reply)));
  }

  void read(String path, Consumer<Reply> then) {
    ask("read " + path, () -> store.files.read(path), then);
  }

  void list(String directory, Consumer<Reply> then) {
    ask("list " + directory, () -> store.files.list(directory), then);
  }

  void delete(String path, Consumer<Reply> then) {
    ask("delete " + path, () -> store.files.delete(path), then);
  }

  /** Creates exclusively, writes and syncs. */
  void write(String path, Content content, Consumer<Reply> then) {
    Object handle = new Object();
    ask(
        "create " + path,
        () -> store.files.create(path, handle),
        created -> {
          if (created instanceof Reply.Done) {
            ask("fill " + path, () -> store.files.fill(path, handle, content), then);
          } else {
            then.accept(created);
          }
        });
  }

  /** Publishes by one rename. */
  void rename(String from, String to, Consumer<Reply> then) {
    ask("rename to " + to, () -> store.files.rename(from, to), then);
  }

  /** Publishes by a link and, once that is done, an unlink: two steps of the store. */
  void linkAndUnlink(String from, String to, Consumer<Reply> then) {
    ask(
        "link " + to,
        () -> store.files.link(from, to),
        linked -> {
          if (linked instanceof Reply.Done) {
            delete(
                from, unlinked -> then.accept(unlinked instanceof Reply.Lost ? unlinked : linked));
          } else {
            then.accept(linked);
          }
        });
  }

  /** The names in an answer to {@link #list}, or empty if there was none. */
  static Set<String> names(Reply reply) {
    return reply instanceof Reply.Names names ? names.names() : Set.of();
  }
}
