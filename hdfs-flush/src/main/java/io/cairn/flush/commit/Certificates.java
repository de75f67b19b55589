package io.cairn.flush.commit;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.flush.format.CertificateCodec;
import io.cairn.flush.format.FormatException;
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

/**
 * Certificates beside the manifests of a store. No restore depends on them, and retention deletes
 * each with its manifest. Thread-safe.
 */
public final class Certificates {
  private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

  private final CheckpointStore store;

  /** The certificates in this store. */
  public Certificates(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Publishes a certificate; a readable one that is there already stays.
   *
   * @return whether the checkpoint has one now: false if its manifest is gone or another one. The
   *     manifest is read before and after, so that a retention at the same time leaves no
   *     certificate without it
   * @throws IOException if the store fails
   */
  public boolean write(Certificate certificate) throws IOException {
    CheckpointId id = certificate.id();
    if (!isOf(certificate, id)) {
      return false;
    }
    String path = StoreNames.file(id, StoreNames.CERTIFIED);
    publish(certificate, path);
    if (isOf(certificate, id)) {
      return true;
    }
    store.delete(path);
    return false;
  }

  /** Part of a file would count as a damaged certificate, if this process ended meanwhile. */
  private void publish(Certificate certificate, String path) throws IOException {
    CheckpointId id = certificate.id();
    String temporary =
        StoreNames.file(id, StoreNames.temporaryManifest(UUID.randomUUID().toString()));
    SmallFile.write(store, temporary, CertificateCodec.encode(certificate));
    try {
      store.publish(temporary, path);
    } catch (FileAlreadyExistsException e) {
      if (isReadable(id)) {
        store.delete(temporary); // the other one is of an earlier replay
      } else {
        store.delete(path);
        store.publish(temporary, path);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} is deleted by a retention", id, e);
    }
  }

  private boolean isReadable(CheckpointId id) throws IOException {
    try {
      return read(id).isPresent();
    } catch (FormatException e) {
      LOG.info("{} is replaced", e.file(), e);
      return false;
    }
  }

  private boolean isOf(Certificate certificate, CheckpointId id) throws IOException {
    try {
      byte[] text =
          SmallFile.read(store, StoreNames.file(id, StoreNames.MANIFEST), ManifestCodec.MAX_BYTES);
      return Digest.of(text).equals(certificate.manifest());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * The certificate of a checkpoint; empty if there is none.
   *
   * @throws FormatException if it is damaged, or of another checkpoint
   * @throws IOException if the store fails
   */
  public Optional<Certificate> read(CheckpointId id) throws IOException {
    String path = StoreNames.file(id, StoreNames.CERTIFIED);
    String source = store.describe() + "/" + path;
    try {
      byte[] text = SmallFile.read(store, path, CertificateCodec.MAX_BYTES);
      Certificate certificate = CertificateCodec.decode(text, id.group(), source);
      if (!certificate.id().equals(id)) {
        throw new FormatException(source, 0, "is the certificate of " + certificate.id());
      }
      return Optional.of(certificate);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
