package io.cairn.flush.format;

import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Encodes manifests as text, so that {@code hdfs dfs -cat} shows them: one fact per line, and the
 * SHA-256 of all lines above on the last line.
 *
 * <pre>
 *   cairn-manifest 1
 *   job digits
 *   group fold-3
 *   epoch 3
 *   iteration 42
 *   size 2
 *   nonce 7f0c2d51
 *   parent 3 41 &lt;sha256 of its manifest&gt;         none or one
 *   ancestor 1 30                              any number, by rising epoch
 *   container writer-r00000.chunks 1044 &lt;sha256 of its index&gt; 0,1     at least one
 *   holder 3 41 writer-r00000.chunks 1044 &lt;sha256 of its index&gt;    any number, of it
 *   entry label digits-v2                      any number, of the container above, by name
 *   sha256 &lt;of all above&gt;
 * </pre>
 *
 * <p>Version 3 has holders, version 2 has entries and no holders, version 1 has neither. Each
 * manifest has exactly one text. The decoder rejects any other, even one with another blank.
 */
public final class ManifestCodec {
  /** Longer manifests are neither written nor read; 10 000 containers take 1.2 MB. */
  public static final int MAX_BYTES = 16 << 20;

  static final String FIRST_LINE = "cairn-manifest ";
  static final String LAST_LINE = "sha256 ";
  static final int VERSION = 3;
  private static final int WITHOUT_HOLDERS = 2;
  private static final int WITHOUT_ENTRIES = 1;

  private ManifestCodec() {}

  /**
   * The text of a manifest.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MAX_BYTES}, or its parent belongs
   *     to another group
   */
  public static byte[] encode(CheckpointManifest manifest) {
    byte[] above = linesAbove(manifest);
    String last = LAST_LINE + Digest.of(above) + "\n";
    byte[] bytes = Arrays.copyOf(above, above.length + last.length());
    System.arraycopy(
        last.getBytes(StandardCharsets.US_ASCII), 0, bytes, above.length, last.length());
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "manifest of "
              + manifest.id()
              + " takes "
              + bytes.length
              + " bytes, at most "
              + MAX_BYTES
              + ": lower store.writers or store.maxLayers, or use fewer ranks");
    }
    return bytes;
  }

  /** All lines but the last. */
  static byte[] linesAbove(CheckpointManifest manifest) {
    StringBuilder out = new StringBuilder(512);
    out.append(FIRST_LINE).append(version(manifest)).append('\n');
    line(out, "job", manifest.id().group().job());
    line(out, "group", manifest.id().group().group());
    line(out, "epoch", manifest.id().epoch());
    line(out, "iteration", manifest.id().iteration());
    line(out, "size", manifest.size());
    line(out, "nonce", manifest.nonce());
    manifest.parent().ifPresent(parent -> parent(out, manifest, parent));
    for (Ancestry.Step step : manifest.ancestry().steps()) {
      line(out, "ancestor", step.epoch() + " " + step.iteration());
    }
    manifest.containers().forEach(container -> container(out, container));
    return out.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Decodes a manifest.
   *
   * @param source the file, with the store's name
   * @throws FormatException if the text is truncated, damaged, of another version, or differs from
   *     the output of {@link #encode}; with file, offset and reason
   */
  public static CheckpointManifest decode(byte[] text, String source) throws IOException {
    return new ManifestParser(text, source).parse();
  }

  /** The digest that identifies a manifest: the SHA-256 of its whole file. */
  public static Digest digest(CheckpointManifest manifest) {
    return Digest.of(encode(manifest));
  }

  private static int version(CheckpointManifest manifest) {
    if (!manifest.holders().isEmpty()) {
      return VERSION;
    }
    boolean described =
        manifest.containers().stream().anyMatch(container -> !container.fingerprint().isEmpty());
    return described ? WITHOUT_HOLDERS : WITHOUT_ENTRIES;
  }

  private static void parent(
      StringBuilder out, CheckpointManifest manifest, CheckpointManifest.Parent parent) {
    if (!parent.id().group().equals(manifest.id().group())) {
      throw new IllegalArgumentException(manifest.id() + " cannot follow " + parent.id());
    }
    line(
        out,
        "parent",
        parent.id().epoch() + " " + parent.id().iteration() + " " + parent.manifestDigest());
  }

  private static void container(StringBuilder out, ContainerSummary container) {
    String ranks = container.ranks().stream().map(String::valueOf).collect(Collectors.joining(","));
    line(
        out,
        "container",
        container.file() + " " + container.bytes() + " " + container.indexDigest() + " " + ranks);
    for (Holder holder : container.holders()) {
      String file = holder.file() + " " + holder.bytes() + " " + holder.indexDigest();
      line(out, "holder", holder.epoch() + " " + holder.iteration() + " " + file);
    }
    container
        .fingerprint()
        .entries()
        .forEach((name, value) -> line(out, "entry", name + " " + value));
  }

  private static void line(StringBuilder out, String word, Object value) {
    out.append(word).append(' ').append(value).append('\n');
  }
}
