package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Parses one manifest, line by line. The parser then encodes the result again, and rejects the text
 * if the bytes differ.
 */
final class ManifestParser {
  private static final int SEAL_BYTES =
      ManifestCodec.LAST_LINE.length() + 2 * Digest.BYTES + "\n".length();

  private final byte[] text;
  private final String source;
  private int lineStart;
  private int next;

  ManifestParser(byte[] text, String source) {
    this.text = text;
    this.source = source;
  }

  CheckpointManifest parse() throws FormatException {
    int end = requireSeal();
    CheckpointManifest manifest;
    try {
      manifest = body(end);
    } catch (IllegalArgumentException e) {
      throw wrong(lineStart, String.valueOf(e.getMessage()));
    }
    byte[] above = ManifestCodec.linesAbove(manifest);
    int difference = Arrays.mismatch(above, 0, above.length, text, 0, end);
    if (difference >= 0) {
      throw wrong(difference, "differs from the one text of this manifest");
    }
    return manifest;
  }

  /** Checks version and seal; returns the offset of the last line. */
  private int requireSeal() throws FormatException {
    if (text.length > ManifestCodec.MAX_BYTES) {
      throw wrong(ManifestCodec.MAX_BYTES, "is longer than " + ManifestCodec.MAX_BYTES + " bytes");
    }
    if (!ascii(0, ManifestCodec.FIRST_LINE.length()).equals(ManifestCodec.FIRST_LINE)) {
      throw wrong(0, "does not begin with the first line of a manifest");
    }
    String first = firstLine();
    int seal = text.length - SEAL_BYTES;
    if (seal < first.length()
        || !ascii(seal, ManifestCodec.LAST_LINE.length()).equals(ManifestCodec.LAST_LINE)) {
      throw wrong(text.length, "does not end in a sha256 line: truncated?");
    }
    String sealed = ascii(seal, SEAL_BYTES);
    String found = ManifestCodec.LAST_LINE + Digest.of(ByteBuffer.wrap(text, 0, seal)) + "\n";
    if (!sealed.equals(found)) {
      throw wrong(seal, "is damaged: its sha256 line does not match the lines above");
    }
    next = first.length();
    return seal;
  }

  private String firstLine() throws FormatException {
    for (int version = 1; version <= ManifestCodec.VERSION; version++) {
      String line = ManifestCodec.FIRST_LINE + version + "\n";
      if (ascii(0, line.length()).equals(line)) {
        return line;
      }
    }
    throw wrong(0, "manifest of another version; this program reads 1 to " + ManifestCodec.VERSION);
  }

  private CheckpointManifest body(int end) throws FormatException {
    GroupId group = new GroupId(value(end, "job"), value(end, "group"));
    CheckpointId id =
        new CheckpointId(group, number(value(end, "epoch")), number(value(end, "iteration")));
    int size = integer(value(end, "size"));
    String nonce = value(end, "nonce");
    Optional<CheckpointManifest.Parent> parent = Optional.empty();
    List<Ancestry.Step> steps = new ArrayList<>();
    List<ContainerSummary> containers = new ArrayList<>();
    while (next < end) {
      String[] words = line(end).split(" ", -1);
      if (words[0].equals("parent") && words.length == 4) {
        CheckpointId of = new CheckpointId(group, number(words[1]), number(words[2]));
        parent = Optional.of(new CheckpointManifest.Parent(of, new Digest(words[3])));
      } else if (words[0].equals("ancestor") && words.length == 3) {
        steps.add(new Ancestry.Step(number(words[1]), number(words[2])));
      } else if (words[0].equals("container") && words.length == 5) {
        containers.add(container(words));
      } else if (words[0].equals("holder") && words.length == 6 && !containers.isEmpty()) {
        ContainerSummary last = containers.remove(containers.size() - 1);
        containers.add(last.leaningOn(holder(words)));
      } else if (words[0].equals("entry") && words.length > 2 && !containers.isEmpty()) {
        ContainerSummary last = containers.remove(containers.size() - 1);
        String value = String.join(" ", Arrays.asList(words).subList(2, words.length));
        containers.add(last.writtenBy(last.fingerprint().with(words[1], value)));
      } else {
        throw wrong(lineStart, "unexpected line in a manifest");
      }
    }
    CheckpointManifest manifest =
        new CheckpointManifest(id, size, parent, new Ancestry(steps), nonce, containers);
    Parts.require(manifest);
    return manifest;
  }

  private static ContainerSummary container(String[] words) {
    List<Integer> ranks =
        Arrays.stream(words[4].split(",", -1)).map(ManifestParser::integer).toList();
    return new ContainerSummary(words[1], number(words[2]), new Digest(words[3]), ranks);
  }

  private static Holder holder(String[] words) {
    return new Holder(
        number(words[1]), number(words[2]), words[3], number(words[4]), new Digest(words[5]));
  }

  private String value(int end, String word) throws FormatException {
    String line = line(end);
    if (!line.startsWith(word + " ")) {
      throw wrong(lineStart, "expected a line '" + word + " ...'");
    }
    return line.substring(word.length() + 1);
  }

  private String line(int end) throws FormatException {
    lineStart = next;
    int at = next;
    while (at < end && text[at] != '\n') {
      at++;
    }
    if (at == end) {
      throw wrong(lineStart, "a line is missing");
    }
    next = at + 1;
    return ascii(lineStart, at - lineStart);
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + digits + "' is not a number", e);
    }
  }

  private static int integer(String digits) {
    long number = number(digits);
    if (number != (int) number) {
      throw new IllegalArgumentException("'" + digits + "' is out of range");
    }
    return (int) number;
  }

  private String ascii(int from, int length) {
    int available = Math.max(0, Math.min(length, text.length - from));
    return new String(text, from, available, StandardCharsets.US_ASCII);
  }

  private FormatException wrong(int offset, String reason) {
    return new FormatException(source, offset, reason);
  }
}
