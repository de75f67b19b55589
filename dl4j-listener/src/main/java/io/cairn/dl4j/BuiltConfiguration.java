package io.cairn.dl4j;

import io.cairn.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.ObjectMapper;

/**
 * The configuration that a program built its network from, as DL4J's JSON. Two of them are equal if
 * they have the same settings: a map such as that of {@code Map.of} has another order in each
 * process. Immutable.
 *
 * @param json with counters of 0
 */
record BuiltConfiguration(String json) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MOST_BYTES = 1 << 26;
  private static final int MOST_SHOWN = 12;
  private static final String ABSENT = "absent";

  /** Tells configurations apart in a manifest; equal ones have the same. */
  String fingerprint() {
    return fingerprint(comparable());
  }

  /** Checkpoints whose writer did not sort the settings have this instead. */
  String olderFingerprint() {
    return fingerprint(json);
  }

  private static String fingerprint(String text) {
    return "sha256 " + Digest.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BuiltConfiguration there
        && (json.equals(there.json) || comparable().equals(there.comparable()));
  }

  @Override
  public int hashCode() {
    return comparable().hashCode();
  }

  /** The sorted settings as a text; that itself if it is not JSON. */
  private String comparable() {
    try {
      return MAPPER.writeValueAsString(settings());
    } catch (JsonProcessingException e) {
      return json;
    }
  }

  /** The JSON as deflated UTF-8. */
  Bytes encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("memory takes all bytes", e);
    }
    return Bytes.of(bytes.toByteArray());
  }

  /**
   * Decodes what {@link #encode} wrote.
   *
   * @throws IOException if the bytes are of another form, or inflate to more than 64 MiB
   */
  static BuiltConfiguration decode(Bytes deflated) throws IOException {
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(deflated.array()))) {
      byte[] json = in.readNBytes(MOST_BYTES);
      if (in.read() >= 0) {
        throw new IOException("a configuration of more than " + MOST_BYTES + " bytes");
      }
      return new BuiltConfiguration(new String(json, StandardCharsets.UTF_8));
    }
  }

  /**
   * The settings in which this configuration differs from the one of a checkpoint, such as {@code
   * confs[0].layer.nout: 8 there and 9 here}, at most twelve and the number of further ones.
   *
   * @throws IOException if one of them is not JSON
   */
  List<String> differences(BuiltConfiguration there) throws IOException {
    Map<String, String> ours = settings();
    Map<String, String> theirs = there.settings();
    SortedSet<String> paths = new TreeSet<>(ours.keySet());
    paths.addAll(theirs.keySet());
    List<String> all = new ArrayList<>();
    for (String path : paths) {
      String now = ours.getOrDefault(path, ABSENT);
      String before = theirs.getOrDefault(path, ABSENT);
      if (!now.equals(before)) {
        all.add("%s: %s there and %s here".formatted(path, before, now));
      }
    }
    return shown(all);
  }

  private static List<String> shown(List<String> all) {
    if (all.size() <= MOST_SHOWN) {
      return all;
    }
    List<String> shown = new ArrayList<>(all.subList(0, MOST_SHOWN));
    shown.add((all.size() - MOST_SHOWN) + " further settings");
    return shown;
  }

  private Map<String, String> settings() throws JsonProcessingException {
    Map<String, String> found = new TreeMap<>();
    collect("", MAPPER.readTree(json), found);
    return found;
  }

  private static void collect(String path, JsonNode node, Map<String, String> found) {
    if (node.isContainerNode() && node.isEmpty()) {
      found.put(path, node.isObject() ? "{}" : "[]");
    } else if (node.isObject()) {
      String prefix = path.isEmpty() ? "" : path + ".";
      node.fields().forEachRemaining(e -> collect(prefix + e.getKey(), e.getValue(), found));
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        collect(path + "[" + i + "]", node.get(i), found);
      }
    } else {
      found.put(path, node.asText());
    }
  }
}
