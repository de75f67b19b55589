package io.cairn.adjoint.history;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Objects in a store that outlives machines, each written once and read in parts. All belong to one
 * history. Thread-safe; its outputs and inputs are not. Any method may throw an {@link IOException}
 * although its effect took place.
 */
public interface StateStore {
  /** The store, for messages. */
  String describe();

  /** How long a program without other room waits for a store that fails. */
  Duration patience();

  /**
   * Begins an object.
   *
   * @param name letters, digits and '-'
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name, now or when it
   *     is closed
   */
  Output create(String name) throws IOException;

  /**
   * Opens an object that was closed.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  Input open(String name) throws IOException;

  /** The names of all objects, in any order; those that a dead process began are among them. */
  List<String> names() throws IOException;

  /** Removes an object; does nothing if there is none. */
  void delete(String name) throws IOException;

  /** Writes an object, front to back. */
  interface Output extends Closeable {
    /** Appends all that remains. */
    void write(ByteBuffer bytes) throws IOException;

    /** Makes all bytes outlive the machine, and closes. */
    void commit() throws IOException;
  }

  /** Reads an object at any place. */
  interface Input extends Closeable {
    /** The length of the object. */
    long length() throws IOException;

    /**
     * Fills what remains of a buffer.
     *
     * @throws java.io.EOFException if the object ends before
     */
    void readFully(long position, ByteBuffer into) throws IOException;
  }
}
