package io.cairn.dl4j.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.nd4j.shade.jackson.core.JsonFactory;
import org.nd4j.shade.jackson.core.JsonParser;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.core.JsonToken;
import org.nd4j.shade.jackson.core.io.JsonStringEncoder;

/**
 * The header of a safetensors file: JSON of one object, behind its length in 8 bytes,
 * little-endian.
 *
 * <pre>
 *   0       length n of the header   8 bytes
 *   8       the header               n bytes, UTF-8, padded by blanks
 *   8 + n   the tensors' bytes       little-endian, row-major, in the order of their offsets
 * </pre>
 *
 * <p>The tensors cover the bytes behind the header without gaps. Immutable.
 *
 * @param metadata texts by name, the member {@code __metadata__}
 * @param tensors by name, in the order of the file
 */
record SafetensorsHeader(Map<String, String> metadata, Map<String, TensorSpan> tensors) {
  /** Bytes of the length before the header. */
  static final int LENGTH_BYTES = Long.BYTES;

  /** The longest header that the format permits. */
  static final int MOST_BYTES = 100_000_000;

  private static final String METADATA = "__metadata__";
  private static final JsonFactory JSON =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /** Copies both maps. */
  SafetensorsHeader {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }

  /** The header as JSON, padded so that the tensors begin at a multiple of 8. */
  byte[] encode() {
    List<String> members = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    metadata.forEach((name, text) -> texts.add(quoted(name) + ":" + quoted(text)));
    members.add(quoted(METADATA) + ":{" + String.join(",", texts) + "}");
    tensors.forEach(
        (name, span) ->
            members.add(
                String.format(
                    Locale.ROOT,
                    "%s:{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}",
                    quoted(name),
                    span.type(),
                    span.json(),
                    span.begin(),
                    span.end())));
    String json = "{" + String.join(",", members) + "}";
    int bytes = json.getBytes(StandardCharsets.UTF_8).length;
    return (json + " ".repeat(Math.floorMod(-bytes, Long.BYTES))).getBytes(StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /**
   * Reads a header.
   *
   * @param file for messages
   * @param dataBytes bytes of the file behind the header
   * @throws IOException naming the file and the tensor, if the bytes are of another form, or the
   *     tensors do not cover the file one after the other
   */
  static SafetensorsHeader decode(byte[] header, String file, long dataBytes) throws IOException {
    try (JsonParser in = JSON.createParser(header)) {
      SafetensorsHeader decoded = decode(in);
      requireCover(decoded.tensors, dataBytes);
      return decoded;
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": the header is no JSON: " + e.getOriginalMessage(), e);
    } catch (FormException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** The header has another form, for the reason in the message. */
  private static final class FormException extends IOException {
    private static final long serialVersionUID = 1;

    FormException(String reason) {
      super(reason);
    }
  }

  private static SafetensorsHeader decode(JsonParser in) throws IOException {
    Map<String, String> metadata = new LinkedHashMap<>();
    Map<String, TensorSpan> tensors = new LinkedHashMap<>();
    expect(in.nextToken(), JsonToken.START_OBJECT, "the header");
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.getCurrentName();
      expect(in.nextToken(), JsonToken.START_OBJECT, "'" + name + "'");
      if (METADATA.equals(name)) {
        texts(in, metadata);
      } else {
        tensors.put(name, span(in, name));
      }
    }
    expect(in.nextToken(), null, "the end of the header");
    return new SafetensorsHeader(metadata, tensors);
  }

  private static void expect(@Nullable JsonToken found, @Nullable JsonToken expected, String where)
      throws FormException {
    if (found != expected) {
      throw new FormException(where + " is of another form: " + found + " in place of " + expected);
    }
  }

  private static void texts(JsonParser in, Map<String, String> into) throws IOException {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.getCurrentName();
      expect(in.nextToken(), JsonToken.VALUE_STRING, METADATA + " '" + name + "'");
      into.put(name, in.getText());
    }
  }

  private static TensorSpan span(JsonParser in, String tensor) throws IOException {
    String type = "";
    List<Long> shape = null;
    List<Long> offsets = List.of();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String member = in.getCurrentName();
      in.nextToken();
      switch (String.valueOf(member)) {
        case "dtype" -> {
          expect(in.currentToken(), JsonToken.VALUE_STRING, "tensor '" + tensor + "'");
          type = in.getText();
        }
        case "shape" -> shape = numbers(in, tensor);
        case "data_offsets" -> offsets = numbers(in, tensor);
        default -> throw new FormException("tensor '" + tensor + "' has a member '" + member + "'");
      }
    }
    if (type.isEmpty() || shape == null || offsets.size() != 2) {
      throw new FormException(
          "tensor '" + tensor + "' needs a dtype, a shape and two data_offsets");
    }
    return new TensorSpan(type, shape, offsets.get(0), offsets.get(1));
  }

  private static List<Long> numbers(JsonParser in, String tensor) throws IOException {
    expect(in.currentToken(), JsonToken.START_ARRAY, "tensor '" + tensor + "'");
    List<Long> numbers = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      expect(in.currentToken(), JsonToken.VALUE_NUMBER_INT, "tensor '" + tensor + "'");
      long number = in.getLongValue();
      if (number < 0) {
        throw new FormException("tensor '" + tensor + "' has the negative number " + number);
      }
      numbers.add(number);
    }
    return numbers;
  }

  /** Neither gaps nor overlaps, so that no byte has two meanings, and none is hidden. */
  private static void requireCover(Map<String, TensorSpan> tensors, long dataBytes)
      throws FormException {
    List<Map.Entry<String, TensorSpan>> inOrder = new ArrayList<>(tensors.entrySet());
    inOrder.sort(
        Comparator.comparingLong((Map.Entry<String, TensorSpan> each) -> each.getValue().begin())
            .thenComparingLong(each -> each.getValue().end()));
    long end = 0;
    for (Map.Entry<String, TensorSpan> each : inOrder) {
      TensorSpan span = each.getValue();
      if (span.begin() != end || span.end() < span.begin()) {
        throw new FormException(
            String.format(
                Locale.ROOT,
                "tensor '%s' has the offsets %d to %d, %s the end of the one before it at %d",
                each.getKey(),
                span.begin(),
                span.end(),
                span.begin() < end ? "which overlap" : "which leave a gap after",
                end));
      }
      end = span.end();
    }
    if (end != dataBytes) {
      throw new FormException(
          String.format(
              Locale.ROOT,
              "its tensors end at offset %d, and the file has %d bytes behind the header",
              end,
              dataBytes));
    }
  }
}
