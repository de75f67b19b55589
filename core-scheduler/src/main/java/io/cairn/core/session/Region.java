package io.cairn.core.session;

import io.cairn.core.model.PathSegment;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A named span of the application's memory, or a small value that stands for some of its state. The
 * kind of memory is detected when it is protected, not declared. A region keeps its owner
 * reachable. Its size may differ from checkpoint to checkpoint only for a {@link Blob}.
 */
public sealed interface Region {
  /** Unique within the rank; {@linkplain PathSegment one path segment}. */
  String name();

  /**
   * Memory of the application.
   *
   * @param memory a primitive array, a direct or array-backed {@link java.nio.ByteBuffer} (all of
   *     it, whatever its position), or a JavaCPP {@code Pointer} (from its position to its limit)
   */
  record Memory(String name, Object memory) implements Region {
    /** Checks the name. */
    public Memory {
      PathSegment.require("region", name);
    }
  }

  /**
   * Native memory by address.
   *
   * @param owner kept reachable as long as the region is protected
   */
  record Address(String name, long address, long bytes, Object owner) implements Region {
    /** Checks name and span. */
    public Address {
      PathSegment.require("region", name);
      if (address == 0 || bytes < 0) {
        throw new IllegalArgumentException(
            "region " + name + ": address " + address + ", " + bytes + " bytes");
      }
    }
  }

  /**
   * A small value: a random generator's state, an iterator's position.
   *
   * @param save returns its bytes; called on the training thread at each checkpoint
   * @param load restores it from those bytes; called on the training thread at a restore
   */
  record Blob(String name, Supplier<byte[]> save, Consumer<byte[]> load) implements Region {
    /** Checks the name. */
    public Blob {
      PathSegment.require("region", name);
    }
  }

  /** A region over memory whose kind is detected. */
  static Region of(String name, Object memory) {
    return new Memory(name, memory);
  }

  /** A region over native memory. */
  static Region of(String name, long address, long bytes, Object owner) {
    return new Address(name, address, bytes, owner);
  }

  /** A region over a small value. */
  static Region of(String name, Supplier<byte[]> save, Consumer<byte[]> load) {
    return new Blob(name, save, load);
  }
}
