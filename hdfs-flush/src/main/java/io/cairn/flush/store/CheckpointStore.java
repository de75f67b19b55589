package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;

/**
 * What a place that keeps checkpoints must be able to do. Every path is relative to the store's
 * root. Thread-safe; the streams that it hands out are not.
 *
 * <p>Any method may throw an {@link IOException} although its effect took place, or takes place
 * later: callers treat such an answer as unknown, never as failed. Messages name the store, the
 * path and the cause. A root that vanished is such an error, never an empty store. A path that is
 * not one is an {@link IllegalArgumentException}.
 */
public interface CheckpointStore extends AutoCloseable {
  /** The root, as users know it: a URI or a directory. */
  String describe();

  /**
   * Creates a file exclusively, with the directories above it. Of any number of racing calls, in
   * any processes, at most one succeeds.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file exists; then it was not touched
   */
  StoreOutput create(String path) throws IOException;

  /**
   * Publishes a closed and synced file under a final name in the same directory, if that name is
   * absent: readers see the final name with all of its bytes or not at all. The old name is gone
   * after success, and the publication survives what the store promises to survive.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the final name exists; both files are as
   *     before then
   * @throws java.nio.file.NoSuchFileException if {@code from} does not exist
   */
  void publish(String from, String to) throws IOException;

  /**
   * Opens a file for reading.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  StoreInput open(String path) throws IOException;

  /**
   * The entries of a directory, by name; empty if there is no such directory. Sees every file whose
   * creation or publication returned before the call.
   *
   * @param directory a path, or empty for the root
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  List<StoreEntry> list(String directory) throws IOException;

  /**
   * Deletes a file; a directory is refused.
   *
   * @return true if this call removed it; false if there was none, which may mean that it was
   *     renamed a moment ago
   */
  boolean delete(String path) throws IOException;

  /**
   * Deletes a directory with all it holds, without following links; returns false if there was
   * none.
   *
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  boolean deleteDirectory(String directory) throws IOException;

  /** Releases connections; files stay. */
  @Override
  void close() throws IOException;
}
