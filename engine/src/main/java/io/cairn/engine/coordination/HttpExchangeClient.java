package io.cairn.engine.coordination;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Carries requests to a {@link HttpExchangeServer}, one POST each. Thread-safe. */
final class HttpExchangeClient implements Exchange {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int MAX_REASON_BYTES = 500;
  private static final int FORBIDDEN = 403;

  private final HttpAddress address;
  private final Optional<SharedSecret> secret;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

  HttpExchangeClient(HttpAddress address) {
    this.address = address;
    this.secret = address.key();
  }

  /**
   * Posts a request.
   *
   * @throws ConnectException if no process serves at the address
   * @throws UnprovenException if either end does not prove the secret to the other
   * @throws IOException naming the address, the status and the reason, if the server refused it
   */
  @Override
  public byte[] ask(byte[] request) throws IOException, InterruptedException {
    Optional<String> signature = secret.map(key -> key.ofRequest(request));
    HttpRequest.Builder post =
        HttpRequest.newBuilder(address.uri())
            .timeout(ANSWER)
            .POST(BodyPublishers.ofByteArray(request));
    signature.ifPresent(value -> post.header(HttpAddress.SIGNATURE, value));
    HttpResponse<InputStream> response = send(post.build());
    try (InputStream body = response.body()) {
      if (response.statusCode() != 200) {
        String refusal =
            "the coordinator at %s refused with status %d: %s"
                .formatted(address, response.statusCode(), reason(body));
        throw response.statusCode() == FORBIDDEN
            ? new UnprovenException(refusal + ": give all processes the same one")
            : new IOException(refusal);
      }
      byte[] reply = body.readNBytes(HttpAddress.MAX_BYTES + 1);
      requireAuthentic(response, signature, reply);
      return reply;
    }
  }

  private HttpResponse<InputStream> send(HttpRequest post)
      throws IOException, InterruptedException {
    try {
      return http.send(post, BodyHandlers.ofInputStream());
    } catch (ConnectException e) {
      throw (ConnectException)
          new ConnectException("no process coordinates at " + address).initCause(e);
    }
  }

  private static String reason(InputStream body) throws IOException {
    return new String(body.readNBytes(MAX_REASON_BYTES), StandardCharsets.UTF_8);
  }

  private void requireAuthentic(HttpResponse<?> response, Optional<String> request, byte[] reply)
      throws IOException {
    if (reply.length > HttpAddress.MAX_BYTES) {
      throw new IOException(
          "the coordinator at %s replied more than %d bytes"
              .formatted(address, HttpAddress.MAX_BYTES));
    }
    if (secret.isPresent() && request.isPresent()) {
      String expected = secret.get().ofReply(request.get(), reply);
      String found = response.headers().firstValue(HttpAddress.SIGNATURE).orElse(null);
      if (!SharedSecret.matches(expected, found)) {
        throw new UnprovenException(
            "the reply from %s does not prove coordinator.secret: give all processes the same one"
                .formatted(address));
      }
    }
  }
}
