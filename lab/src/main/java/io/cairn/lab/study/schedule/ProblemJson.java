package io.cairn.lab.study.schedule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.cairn.cli.Json;
import io.cairn.core.flow.Topology;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Reads a problem or a topology as JSON, token by token. It stops at what is beyond {@link Limits},
 * so that no input takes more memory than a problem within them.
 */
public final class ProblemJson {
  private ProblemJson() {}

  /**
   * A topology from a file: the object of a problem without {@code id}, sizes and chunk.
   *
   * @throws IOException naming the file and what does not fit
   */
  public static Topology topology(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      ProblemDraft draft = new ProblemDraft();
      if (!read(in, draft, Key::inTopology)) {
        throw new IllegalArgumentException("is empty");
      }
      return draft.topology();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads one problem, which must be all that the stream holds. Members read before an error stay
   * in the draft.
   *
   * @return false if the stream holds nothing but white space
   * @throws IllegalArgumentException if it is no such object, in words for people
   */
  static boolean read(InputStream in, ProblemDraft into) throws IOException {
    return read(in, into, key -> true);
  }

  private static boolean read(InputStream in, ProblemDraft into, Predicate<Key> allowed)
      throws IOException {
    try (JsonParser parser = Json.parser(new BoundedTokens(in))) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return false;
      }
      if (first != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("is no JSON object");
      }
      readKeys(parser, into, allowed);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("something follows the JSON object");
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "is no JSON: %s (column %d)", e.getOriginalMessage(), column(e)),
          e);
    }
    for (Key key : Key.values()) {
      if (key.required() && allowed.test(key) && !into.said.contains(key)) {
        throw new IllegalArgumentException("has no " + key);
      }
    }
    return true;
  }

  private static int column(JsonProcessingException e) {
    return e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
  }

  private static void readKeys(JsonParser parser, ProblemDraft into, Predicate<Key> allowed)
      throws IOException {
    JsonValues values = new JsonValues(parser);
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Key key = Key.of(name);
      if (!allowed.test(key)) {
        throw new IllegalArgumentException("a topology has no " + key);
      }
      into.said.add(key);
      parser.nextToken();
      try {
        readValue(key, values, into);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(key + e.getMessage(), e);
      }
    }
  }

  private static void readValue(Key key, JsonValues values, ProblemDraft into) throws IOException {
    switch (key) {
      case ID -> into.id = values.text();
      case DEVICES -> into.devices = (int) values.whole(1, Limits.DEVICES);
      case CHUNK -> into.chunkBytes = values.whole(1, Limits.BYTES);
      case REMAINDERS -> into.remainders = values.sizes();
      case SPARES -> into.spares = values.sizes();
      case HOST_LINKS -> into.host = values.rates();
      case EGRESS -> into.egress = values.rates();
      case INGRESS -> into.ingress = values.rates();
      case LINKS -> into.links = values.links();
      case HOST_LINK_GROUPS -> values.groups("bytesPerSecond", into.hostLinkGroups::add);
      case NODES -> values.groups("nicBytesPerSecond", into.nodes::add);
    }
  }
}
