package io.cairn.cli;

import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The file of a manifest, damaged or not. Immutable.
 *
 * @param file as users find it
 * @param text all of it
 * @param damage why it is no manifest; empty if it is one
 */
record ManifestFile(
    String file,
    String text,
    Optional<CheckpointManifest> manifest,
    Optional<FormatException> damage) {
  /**
   * Reads a file.
   *
   * @param path below the store's root
   * @throws FormatException if it is longer than any manifest
   * @throws IOException if it cannot be read
   */
  static ManifestFile read(ReadableStore store, String path) throws IOException {
    String file = store.describe() + "/" + path;
    byte[] text = bytes(store, path, file);
    String lines = new String(text, StandardCharsets.ISO_8859_1);
    try {
      CheckpointManifest manifest = ManifestCodec.decode(text, file);
      return new ManifestFile(file, lines, Optional.of(manifest), Optional.empty());
    } catch (FormatException e) {
      return new ManifestFile(file, lines, Optional.empty(), Optional.of(e));
    }
  }

  private static byte[] bytes(ReadableStore store, String path, String file) throws IOException {
    try (StoreInput input = store.open(path)) {
      if (input.length() > ManifestCodec.MAX_BYTES) {
        throw new FormatException(file, ManifestCodec.MAX_BYTES, "is too long for a manifest");
      }
      ByteBuffer text = ByteBuffer.allocate((int) input.length());
      input.readFully(0, text);
      return text.array();
    }
  }

  /**
   * The manifest.
   *
   * @throws FormatException if it is none
   */
  CheckpointManifest require() throws FormatException {
    if (manifest.isPresent()) {
      return manifest.get();
    }
    throw damage.orElseThrow();
  }

  /** Length of the file. */
  long bytes() {
    return text.length();
  }

  /** Digest of the file, as {@code sha256sum} prints it. */
  String digest() {
    return Digest.of(text.getBytes(StandardCharsets.ISO_8859_1)).hex();
  }

  /** The words after the first one of the first line: the version of the format. */
  String version() {
    String first = text.lines().findFirst().orElse("");
    return first.substring(first.indexOf(' ') + 1);
  }

  /** The number of whole lines before the damage; all of them if there is none. */
  long readableLines() {
    long end = damage.map(FormatException::offset).orElse(bytes());
    return text.substring(0, (int) Math.min(end, bytes())).chars().filter(c -> c == '\n').count();
  }
}
