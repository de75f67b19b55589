package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;

/**
 * The storage SPI for checkpoints. Every path is relative to the store's root. Thread-safe; the
 * returned streams are not.
 *
 * <p>Any method may throw an {@link IOException} although its effect took place, or takes place
 * later. Callers treat the effect as unknown, never as failed. Messages name the store, the path
 * and the cause. A root that has vanished is such an error, never an empty store. An illegal path
 * causes an {@link IllegalArgumentException}.
 */
public interface CheckpointStore extends ReadableStore, AutoCloseable {
  /**
   * Creates a file exclusively, with the directories above it. Of concurrent calls, in any number
   * of processes, at most one succeeds. A store that shows a file when it is closed may refuse it
   * then.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file exists; it is untouched
   */
  StoreOutput create(String path) throws IOException;

  /**
   * Publishes a closed and synced file under a final name in the same directory, if that name is
   * absent. Readers see the final name with all of its bytes or not at all. After success the old
   * name is gone, and the publication has the store's {@linkplain Durability durability}.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the final name exists; both files are
   *     unchanged
   * @throws java.nio.file.NoSuchFileException if {@code from} does not exist
   */
  void publish(String from, String to) throws IOException;

  /**
   * Gives a closed and synced file the name of another one in the same directory, in one step.
   * Readers see all of the old file or all of the new one under that name, which may also have been
   * absent. After success the old file and the name {@code from} are gone, as durably as {@link
   * #publish} says.
   *
   * @return false if the store has no such step; nothing changed then
   * @throws java.nio.file.NoSuchFileException if {@code from} does not exist
   */
  default boolean replace(String from, String to) throws IOException {
    return false;
  }

  /**
   * The entries of a directory, by name; empty if there is no such directory. The result contains
   * every file whose creation or publication returned before the call.
   *
   * @param directory a path, or empty for the root
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  List<StoreEntry> list(String directory) throws IOException;

  /**
   * Deletes a file; rejects a directory.
   *
   * @return true if this call removed it; false if it did not exist, for instance because it was
   *     renamed a moment ago
   */
  boolean delete(String path) throws IOException;

  /**
   * Deletes a directory and its contents without following links; returns false if it did not
   * exist.
   *
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  boolean deleteDirectory(String directory) throws IOException;

  /** Closes connections; files remain. */
  @Override
  void close() throws IOException;
}
