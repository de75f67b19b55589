package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.Commit;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes manifests: carries out the actions of {@link Commit} against a store. Thread-safe. */
public final class ManifestCommit {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestCommit.class);

  private final CheckpointStore store;

  /** Commits to this store. */
  public ManifestCommit(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Publishes a manifest whose containers are written, synced and closed. Errors of the store are
   * part of the outcome and never thrown.
   *
   * @param manifest has a nonce that no other attempt has used
   * @param finalName {@link StoreNames#MANIFEST}, or a name from {@link StoreNames#manifestPart}
   * @throws IllegalArgumentException if the name is illegal, or the manifest is too long
   */
  public CommitOutcome commit(CheckpointManifest manifest, String finalName) {
    return commit(manifest, finalName, manifest.nonce());
  }

  /**
   * Publishes a manifest that another store has, as it is there. Several attempts may do so, at
   * once or after one that died. As all of them publish the same text, it counts as that of each.
   *
   * @param finalName as for {@link #commit(CheckpointManifest, String)}
   * @throws IllegalArgumentException if the name is illegal, or the manifest is too long
   */
  public CommitOutcome commitCopy(CheckpointManifest manifest, String finalName) {
    return commit(manifest, finalName, UUID.randomUUID().toString());
  }

  /**
   * The digest of the manifest of a group that is published here, or of the damaged file in its
   * place; empty if there is none.
   *
   * @throws IOException if it cannot be read now, or is too long for a manifest
   */
  public Optional<Digest> published(CheckpointId id) throws IOException {
    try {
      String path = StoreNames.file(id, StoreNames.MANIFEST);
      return Optional.of(Digest.of(SmallFile.read(store, path, ManifestCodec.MAX_BYTES)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Makes a manifest durable that can be read, and whose publication may not be durable yet: syncs
   * one more file in its directory, and deletes that.
   *
   * @throws IOException if it is not known to be durable
   */
  public void settle(CheckpointId id) throws IOException {
    String path = StoreNames.file(id, StoreNames.temporaryManifest(UUID.randomUUID().toString()));
    SmallFile.write(store, path, new byte[0]);
    store.delete(path);
  }

  private CommitOutcome commit(CheckpointManifest manifest, String finalName, String temporary) {
    if (!StoreNames.isManifest(finalName)) {
      throw new IllegalArgumentException("'" + finalName + "' is not the name of a manifest");
    }
    byte[] text = ManifestCodec.encode(manifest);
    Attempt attempt =
        new Attempt(
            StoreNames.file(manifest.id(), StoreNames.temporaryManifest(temporary)),
            StoreNames.file(manifest.id(), finalName),
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

  /** The files of one attempt. */
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
        LOG.debug("{} of {} has an unknown effect", action, published, e);
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
