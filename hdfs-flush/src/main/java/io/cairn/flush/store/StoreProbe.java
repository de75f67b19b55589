package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.UUID;

/**
 * Tests a store for all semantics that the commit needs, in a hidden directory that it deletes
 * afterwards. The probe cannot detect an operation that is correct but not atomic; only concurrent
 * writers would show that.
 */
final class StoreProbe {
  private static final String FIRST = "first";
  private static final String SECOND = "second";

  private final CheckpointStore store;
  private final String directory = ".probe-" + UUID.randomUUID();
  private final String source = directory + "/source";
  private final String target = directory + "/target";

  private StoreProbe(CheckpointStore store) {
    this.store = store;
  }

  /** One attempt. */
  private interface Attempt {
    void run() throws IOException;
  }

  /**
   * Returns if the store has all semantics.
   *
   * @throws IOException if it lacks one; names the store, the semantic, and an alternative
   */
  static void require(CheckpointStore store) throws IOException {
    StoreProbe probe = new StoreProbe(store);
    try {
      probe.run();
    } catch (IOException e) {
      try {
        store.deleteDirectory(probe.directory);
      } catch (IOException | UnsupportedOperationException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  private void run() throws IOException {
    attempt("exclusive create", this::createsOnce);
    attempt("exclusive create", this::createsOnceInTwoWriters);
    attempt("sync", () -> write(source, FIRST));
    attempt("publish", this::publishes);
    attempt("publish-if-absent", this::refusesSecondPublish);
    attempt("list", this::lists);
    attempt("delete", this::deletes);
  }

  private void attempt(String semantic, Attempt attempt) throws IOException {
    try {
      attempt.run();
    } catch (Refused e) {
      throw StoreRefusal.lacks(store.describe(), semantic, StoreErrors.reason(e));
    } catch (IOException | UnsupportedOperationException e) {
      throw StoreRefusal.refusal(store.describe(), semantic, e);
    }
  }

  /** Creates an empty file, which costs HDFS no block. */
  private void createsOnce() throws IOException {
    store.create(source).close();
    try {
      store.create(source).close();
    } catch (FileAlreadyExistsException expected) {
      require(store.delete(source), "the delete of a file reported that there was none");
      return;
    }
    throw new Refused("a file was created twice");
  }

  /** A store may show files when they are closed. Then only this shows whether it replaces one. */
  private void createsOnceInTwoWriters() throws IOException {
    StoreOutput first = store.create(source);
    try (StoreOutput second = store.create(source)) {
      first.close();
      second.sync();
    } catch (FileAlreadyExistsException expected) {
      first.close();
      require(store.delete(source), "the delete of a file reported that there was none");
      return;
    }
    throw new Refused("two writers created one file");
  }

  private void publishes() throws IOException {
    store.publish(source, target);
    requireContent(target, FIRST);
    require(!store.delete(source), "the old name stayed after a publication");
  }

  private void refusesSecondPublish() throws IOException {
    write(source, SECOND);
    try {
      store.publish(source, target);
    } catch (FileAlreadyExistsException expected) {
      requireContent(source, SECOND);
      requireContent(target, FIRST);
      return;
    }
    throw new Refused("a publication replaced an existing file");
  }

  private void lists() throws IOException {
    var names = store.list(directory).stream().map(StoreEntry::name).toList();
    require(names.contains("source") && names.contains("target"), "a listing shows only " + names);
  }

  private void deletes() throws IOException {
    require(store.delete(target), "the delete of a file reported that there was none");
    require(store.deleteDirectory(directory), "a directory was not deleted");
    require(store.list(directory).isEmpty(), "a deleted directory still has files");
  }

  private void write(String path, String content) throws IOException {
    try (StoreOutput out = store.create(path)) {
      out.write(StandardCharsets.US_ASCII.encode(content));
      out.sync();
    }
  }

  private void requireContent(String path, String expected) throws IOException {
    try (StoreInput in = store.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(expected.length());
      require(in.length() == expected.length(), path + " has another length than was written");
      in.readFully(0, bytes);
      String found = StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
      require(found.equals(expected), path + " has other bytes than were written");
    }
  }

  private static void require(boolean condition, String otherwise) throws Refused {
    if (!condition) {
      throw new Refused(otherwise);
    }
  }

  /** Reports that the store violated a required semantic. */
  private static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String seen) {
      super(seen);
    }
  }
}
