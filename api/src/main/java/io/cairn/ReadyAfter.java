package io.cairn;

import java.util.List;

/**
 * Work of a device that ends before memory of the device may be copied. The device keeps the order;
 * no host thread waits for it. Handles are the driver's. Work that goes to a graph, while a stream
 * captures one, is refused: the graph would take the copies.
 */
public sealed interface ReadyAfter {
  /**
   * All work that a stream holds when the copy is started; handle 0 is the default stream. It lives
   * until the copy was awaited.
   */
  record Stream(long handle) implements ReadyAfter {}

  /** The work that an event recorded last before the copy is started. */
  record Event(long handle) implements ReadyAfter {
    /** Checks the handle. */
    public Event {
      if (handle == 0) {
        throw new IllegalArgumentException("event 0 is no event of a device");
      }
    }
  }

  /** All of these, such as a library's stream of kernels and its stream of copies. */
  record All(List<ReadyAfter> parts) implements ReadyAfter {
    /** Copies the list, which has one part at least. */
    public All {
      parts = List.copyOf(parts);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("an order of no parts; Nothing names no work");
      }
    }
  }

  /** No work: the application waits for its device before it starts a checkpoint or a restore. */
  record Nothing() implements ReadyAfter {}
}
