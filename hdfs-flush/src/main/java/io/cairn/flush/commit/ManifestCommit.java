package io.cairn.flush.commit;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.Digest;
import io.cairn.core.protocol.Commit;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * Publishes manifests: does with a store what {@link Commit} asks for, and tells it what happened.
 * Thread-safe.
 */
public final class ManifestCommit {
  private final CheckpointStore store;

  /** Commits to this store. */
  public ManifestCommit(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Publishes a manifest whose containers are written, synced and closed. Never throws for what the
   * store does: the outcome says it.
   *
   * @param manifest with a nonce that no other attempt has used
   * @param finalName {@link Layout#MANIFEST}, or one from {@link Layout#manifestPart}
   * @throws IllegalArgumentException if that is no name for a manifest, or the manifest is too long
   */
  public CommitOutcome commit(CheckpointManifest manifest, String finalName) {
    if (!Layout.isManifest(finalName)) {
      throw new IllegalArgumentException("'" + finalName + "' is no name for a manifest");
    }
    byte[] text = ManifestCodec.encode(manifest);
    Attempt attempt =
        new Attempt(
            Layout.file(manifest.id(), Layout.temporaryManifest(manifest.nonce())),
            Layout.file(manifest.id(), finalName),
            text);
    Commit.Step step = Commit.of(Digest.of(text)).on(new Commit.Event.Begin());
    while (!step.actions().isEmpty()) {
      for (Commit.Action action : step.actions()) {
        step = step.next().on(attempt.perform(action));
      }
    }
    Commit last = step.next();
    return last.outcome()
        .orElseThrow(() -> new IllegalStateException("commit ended in " + last.state()));
  }

  /** One attempt's files. */
  private final class Attempt {
    private final String temporary;
    private final String published;
    private final byte[] text;

    Attempt(String temporary, String published, byte[] text) {
      this.temporary = temporary;
      this.published = published;
      this.text = text;
    }

    Commit.Event perform(Commit.Action action) {
      try {
        return switch (action) {
          case WRITE -> write();
          case PUBLISH -> publish();
          case READ -> read();
          case DELETE ->
              store.delete(temporary) ? new Commit.Event.Deleted() : new Commit.Event.Missing();
        };
      } catch (IOException e) {
        return new Commit.Event.Lost(e.toString());
      }
    }

    private Commit.Event write() throws IOException {
      SmallFile.write(store, temporary, text);
      return new Commit.Event.Written();
    }

    private Commit.Event publish() throws IOException {
      try {
        store.publish(temporary, published);
        return new Commit.Event.Published();
      } catch (FileAlreadyExistsException e) {
        return new Commit.Event.Exists();
      }
    }

    private Commit.Event read() throws IOException {
      try {
        byte[] found = SmallFile.read(store, published, ManifestCodec.MAX_BYTES);
        return new Commit.Event.Read(Optional.of(Digest.of(found)));
      } catch (NoSuchFileException e) {
        return new Commit.Event.Read(Optional.empty());
      }
    }
  }
}
