package io.cairn.adjoint.history;

import io.cairn.Level;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Memory or files below the device, in chunks of one length. Thread-safe for different chunks: the
 * {@link Room} says who has which.
 */
interface Shelf extends Closeable {
  /** For messages and counts: "host memory", "files", "store". */
  String name();

  /** The level whose failures a state here survives; {@link Level#DEVICE} ends with the process. */
  Level level();

  /**
   * Writes whole chunks, the first to this place, each of the others behind it.
   *
   * @param bytes a direct buffer; all that remains is written; its position is undefined then
   */
  void write(int chunk, ByteBuffer bytes) throws IOException;

  /**
   * Fills a buffer with the bytes that were written from a chunk on.
   *
   * @param into a direct buffer; all that remains is filled; its position is undefined then
   */
  void read(int chunk, ByteBuffer into) throws IOException;

  /** Whether one buffer may hold both chunks: the second follows the first. */
  boolean follows(int chunk, int next);

  /** Whether the bytes of a chunk are gone for good. */
  default boolean isGone(int chunk) {
    return false;
  }

  /**
   * The next state that is written gets these chunks, in this order. The caller has the ledger's
   * monitor.
   */
  default void take(int[] chunks, int count) {}

  /** Nobody needs the bytes of these chunks. The caller has the ledger's monitor. */
  default void free(int[] chunks, int count) {}

  /** The bytes of a state follow. */
  default void begin(State state) throws IOException {}

  /** All bytes of a state were written. */
  default void end(State state) throws IOException {}

  /** About how many bytes are written before a {@link #seal}; 0 seals each state. */
  default long batchBytes() {
    return 0;
  }

  /** All states that ended since the last one lie here from now on. */
  default void seal() throws IOException {}

  /** The states since the last {@link #seal} do not lie here. */
  default void abandon() {}

  /** How long a program without other room waits for a shelf that fails. */
  default Duration patience() {
    return Duration.ZERO;
  }

  /** Removes what nobody needs. Threads that move states call it now and then. */
  default void tidy() {}

  /** The states that an earlier process left here, with their chunks. */
  default List<State> found() {
    return List.of();
  }

  /** A later process does not find this state, which lies here. As far as the shelf can do that. */
  default void forget(State state) throws IOException {}

  /** Forgets all states, those of earlier processes too. None is on its way. */
  default void clear() throws IOException {}

  /** Removes what {@link #close}, which follows, would leave. */
  default void delete() throws IOException {}

  @Override
  void close() throws IOException;
}
