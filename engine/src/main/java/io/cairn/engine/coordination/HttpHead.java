package io.cairn.engine.coordination;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The head of an HTTP request. Immutable.
 *
 * @param headers by name in lower case; of equal names the first
 */
record HttpHead(String method, String path, Map<String, String> headers) {
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The length of a head with its end, in the first bytes of a connection; empty if it goes on. */
  static Optional<Integer> length(byte[] bytes, int count) {
    for (int end = END.length; end <= count; end++) {
      int matched = 0;
      while (matched < END.length && bytes[end - END.length + matched] == END[matched]) {
        matched++;
      }
      if (matched == END.length) {
        return Optional.of(end);
      }
    }
    return Optional.empty();
  }

  /**
   * Parses a head.
   *
   * @throws IllegalArgumentException if it is none
   */
  static HttpHead parse(byte[] bytes, int length) {
    String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    String[] request = lines[0].split(" ", -1);
    if (request.length != 3 || !request[2].startsWith("HTTP/1.")) {
      throw new IllegalArgumentException("no request of HTTP/1.1");
    }
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("a header without a name");
      }
      headers.putIfAbsent(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    return new HttpHead(request[0], request[1], headers);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The bytes of the body; negative if the head does not say it in a way that is understood. */
  long bodyBytes() {
    if (headers.containsKey("transfer-encoding")) {
      return -1;
    }
    String length = headers.getOrDefault("content-length", "0");
    return length.matches("[0-9]{1,9}") ? Long.parseLong(length) : -1;
  }
}
