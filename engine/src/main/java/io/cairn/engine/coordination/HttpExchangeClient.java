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
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Carries requests to a {@link HttpExchangeServer}, one POST each. Thread-safe. */
public final class HttpExchangeClient implements Exchange {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = ExchangeServer.LONGEST_HOLD.plusSeconds(10);
  private static final int MAX_REASON_BYTES = 500;
  private static final int FORBIDDEN = 403;

  private final HttpAddress address;
  private final Optional<SharedSecret> secret;

  /** Reads replies, which may come slowly; a process has two open at a time. */
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "cairn-exchange-http");
            thread.setDaemon(true);
            return thread;
          });

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .executor(threads)
          .build();

  /** Connects to nothing yet. */
  public HttpExchangeClient(HttpAddress address) {
    this.address = address;
    this.secret = address.key();
  }

  @Override
  public int maxBytes() {
    return HttpService.COORDINATOR.maxBytes();
  }

  /**
   * Posts a request.
   *
   * @return fails with {@link ConnectException} if no process serves at the address, with {@link
   *     UnprovenException} if either end does not prove the secret to the other, and otherwise with
   *     an {@link IOException} that names the address, the status and the reason
   */
  @Override
  public CompletionStage<byte[]> ask(byte[] request) {
    Optional<String> signature = secret.map(key -> key.ofRequest(request));
    HttpRequest.Builder post =
        HttpRequest.newBuilder(address.uri())
            .timeout(ANSWER)
            .POST(BodyPublishers.ofByteArray(request));
    signature.ifPresent(value -> post.header(HttpAddress.SIGNATURE, value));
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    var unused =
        http.sendAsync(post.build(), BodyHandlers.ofInputStream())
            .whenCompleteAsync(
                (response, failure) -> settle(reply, signature, response, failure), threads);
    return reply;
  }

  private void settle(
      CompletableFuture<byte[]> reply,
      Optional<String> signature,
      @Nullable HttpResponse<InputStream> response,
      @Nullable Throwable failure) {
    try {
      if (response == null) {
        throw failed(failure);
      }
      reply.complete(read(response, signature));
    } catch (IOException | RuntimeException e) {
      reply.completeExceptionally(e);
    }
  }

  private IOException failed(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ConnectException
        ? (IOException)
            new ConnectException("%s does not serve at %s".formatted(name(), address))
                .initCause(cause)
        : new IOException("%s at %s did not reply: %s".formatted(name(), address, cause), cause);
  }

  private byte[] read(HttpResponse<InputStream> response, Optional<String> signature)
      throws IOException {
    try (InputStream body = response.body()) {
      if (response.statusCode() != 200) {
        String refusal =
            String.format(
                Locale.ROOT,
                "%s at %s refused with status %d: %s",
                name(),
                address,
                response.statusCode(),
                reason(body));
        throw response.statusCode() == FORBIDDEN
            ? new UnprovenException(refusal + ": give all processes the same one")
            : new IOException(refusal);
      }
      byte[] reply = body.readNBytes(address.service().maxBytes() + 1);
      requireAuthentic(response, signature, reply);
      return reply;
    }
  }

  private String name() {
    return address.service().noun();
  }

  private static String reason(InputStream body) throws IOException {
    return new String(body.readNBytes(MAX_REASON_BYTES), StandardCharsets.UTF_8);
  }

  private void requireAuthentic(HttpResponse<?> response, Optional<String> request, byte[] reply)
      throws IOException {
    if (reply.length > address.service().maxBytes()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s at %s replied more than %d bytes",
              name(),
              address,
              address.service().maxBytes()));
    }
    if (secret.isPresent() && request.isPresent()) {
      String expected = secret.get().ofReply(request.get(), reply);
      String found = response.headers().firstValue(HttpAddress.SIGNATURE).orElse(null);
      if (!SharedSecret.matches(expected, found)) {
        throw new UnprovenException(
            "the reply from %s does not prove %s: give all processes the same one"
                .formatted(address, address.service().secretSetting()));
      }
    }
  }
}
