package io.cairn.flush.format;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Encodes certificates as text, one fact per line, with the SHA-256 of all lines above on the last
 * line. Stateless.
 *
 * <pre>
 *   cairn-certificate 1
 *   checkpoint 3 42 &lt;sha256 of its manifest&gt;      epoch, iteration
 *   from 3 41 &lt;sha256 of its manifest&gt; certified   or uncertified; no such line: from the start
 *   region parameters &lt;sha256&gt;                    at least one, by name
 *   fact openmp-threads 1                          any number, by name
 *   sha256 &lt;of all above&gt;
 * </pre>
 *
 * <p>A certificate has exactly one text; the decoder rejects any other.
 */
public final class CertificateCodec {
  /** A longer text is neither written nor read. */
  public static final int MAX_BYTES = 64 << 10;

  private static final String FIRST_LINE = "cairn-certificate 1";
  private static final String SEAL = "sha256 ";
  private static final String CERTIFIED = "certified";
  private static final String UNCERTIFIED = "uncertified";

  private CertificateCodec() {}

  /**
   * The text.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MAX_BYTES}
   */
  public static byte[] encode(Certificate certificate) {
    String above = above(certificate);
    String seal = SEAL + Digest.of(above.getBytes(StandardCharsets.US_ASCII)) + "\n";
    byte[] text = (above + seal).getBytes(StandardCharsets.US_ASCII);
    if (text.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the certificate of %s takes %d bytes, at most %d",
              certificate.id(),
              text.length,
              MAX_BYTES));
    }
    return text;
  }

  private static String above(Certificate certificate) {
    StringBuilder out = new StringBuilder(FIRST_LINE).append('\n');
    CheckpointId id = certificate.id();
    line(out, "checkpoint", id.epoch(), id.iteration(), certificate.manifest());
    certificate
        .predecessor()
        .ifPresent(
            from ->
                line(
                    out,
                    "from",
                    from.id().epoch(),
                    from.id().iteration(),
                    from.manifest(),
                    from.certified() ? CERTIFIED : UNCERTIFIED));
    certificate.regions().forEach((name, digest) -> line(out, "region", name, digest));
    certificate.facts().forEach((name, value) -> line(out, "fact", name, value));
    return out.toString();
  }

  private static void line(StringBuilder out, Object... words) {
    out.append(String.join(" ", Arrays.stream(words).map(Object::toString).toList())).append('\n');
  }

  /**
   * The certificate of a text.
   *
   * @param group of the checkpoint
   * @param source names the file in errors
   * @throws FormatException if the text is damaged or of another version
   */
  public static Certificate decode(byte[] text, GroupId group, String source)
      throws FormatException {
    Certificate certificate;
    try {
      certificate = body(new String(text, StandardCharsets.US_ASCII).split("\n", -1), group);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new FormatException(source, 0, "is no certificate: " + e.getMessage());
    }
    int difference = Arrays.mismatch(encode(certificate), text);
    if (difference >= 0) {
      throw new FormatException(source, difference, "differs from the one text of its certificate");
    }
    return certificate;
  }

  private static Certificate body(String[] lines, GroupId group) {
    if (!lines[0].equals(FIRST_LINE)) {
      throw new IllegalArgumentException("it does not begin with " + FIRST_LINE);
    }
    String[] checkpoint = words(lines[1], "checkpoint", 4);
    Optional<Certificate.Predecessor> from = Optional.empty();
    SortedMap<String, Digest> regions = new TreeMap<>();
    SortedMap<String, String> facts = new TreeMap<>();
    for (String line : List.of(lines).subList(2, lines.length)) {
      if (line.startsWith("from ")) {
        String[] words = words(line, "from", 5);
        from =
            Optional.of(
                new Certificate.Predecessor(
                    id(group, words), new Digest(words[3]), words[4].equals(CERTIFIED)));
      } else if (line.startsWith("region ")) {
        String[] words = words(line, "region", 3);
        regions.put(words[1], new Digest(words[2]));
      } else if (line.startsWith("fact ")) {
        String[] words = line.split(" ", 3);
        facts.put(words[1], words[2]);
      }
    }
    return new Certificate(id(group, checkpoint), new Digest(checkpoint[3]), from, regions, facts);
  }

  private static String[] words(String line, String first, int count) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals(first) || words.length != count) {
      throw new IllegalArgumentException("unexpected line '" + line + "'");
    }
    return words;
  }

  private static CheckpointId id(GroupId group, String[] words) {
    return new CheckpointId(group, Long.parseLong(words[1]), Long.parseLong(words[2]));
  }
}
