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
   * Publishes a manifest whose containers are written, synced and closed. Several attempts may
   * publish the same text, at once or one after another. The published text counts as that of each.
   * Errors of the store are part of the outcome and never thrown.
   *
   * @param manifest has a nonce that no other text has
   * @param finalName {@link StoreNames#MANIFEST}, or a name from {@link StoreNames#manifestPart}
   * @throws IllegalArgumentException if the name is illegal, or the manifest is too long
   */
  public CommitOutcome commit(CheckpointManifest manifest, String finalName) {
    if (!StoreNames.isManifest(finalName)) {
      throw new IllegalArgumentException("'" + finalName + "' is not the name of a manifest");
    }
    byte[] text = ManifestCodec.encode(manifest);
    Attempt attempt =
        new Attempt(temporary(manifest.id()), StoreNames.file(manifest.id(), finalName), text);
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
    String path = temporary(id);
    SmallFile.write(store, path, new byte[0]);
    store.delete(path);
  }

  /** A name that no other attempt uses: a publish of an earlier one may take effect late. */
  private static String temporary(CheckpointId id) {
    return StoreNames.file(id, StoreNames.temporaryManifest(UUID.randomUUID().toString()));
  }

  /** The files of one attempt. */
  private final class Attempt {
    private final String temporary;
    private final String published;
    private final byte[] text;
    private boolean written;

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

    /**
     * The second write settles; if another attempt had published, the first file is still there.
     */
    private Commit.Event write() throws IOException {
      if (written) {
        boolean unused = store.delete(temporary);
      }
      written = true;
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
