package io.cairn.engine.coordination;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Carries requests to a {@link HttpExchangeServer}, one POST each. Thread-safe. */
public final class HttpExchangeClient implements Exchange {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = ExchangeServer.LONGEST_HOLD.plusSeconds(10);
  private static final int MAX_REASON_BYTES = 500;

  /** A host that ends closes a connection without a word; one that is there does not, ever. */
  private static final int MOST_MUTE = 10;

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LONG = 413;
  private static final int FAILED = 500;

  private final HttpAddress address;
  private final Optional<SharedSecret> secret;

  /** Connections in a row that were closed without a word. */
  private final AtomicInteger mute = new AtomicInteger();

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
   *     UnprovenException} if something else serves there, or either end does not prove the secret
   *     to the other, and otherwise with an {@link IOException} that names the address, the status
   *     and the reason
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
      mute.set(0);
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
    if (isBy(ProtocolException.class, cause)) {
      return new UnprovenException(somethingElse("it does not speak HTTP"));
    }
    int closed = isBy(EOFException.class, cause) ? mute.incrementAndGet() : 0;
    mute.set(closed);
    if (closed >= MOST_MUTE) {
      return new UnprovenException(somethingElse("it closes each connection without a word"));
    }
    return cause instanceof ConnectException
        ? (IOException)
            new ConnectException("%s does not serve at %s".formatted(name(), address))
                .initCause(cause)
        : new IOException("%s at %s did not reply: %s".formatted(name(), address, cause), cause);
  }

  private byte[] read(HttpResponse<InputStream> response, Optional<String> signature)
      throws IOException {
    try (InputStream body = response.body()) {
      if (response.statusCode() != OK) {
        throw refused(response.statusCode(), reason(body));
      }
      byte[] reply = body.readNBytes(address.service().maxBytes() + 1);
      requireAuthentic(response, signature, reply);
      return reply;
    }
  }

  private IOException refused(int status, String reason) {
    String refusal = "%s at %s refused with status %d: %s";
    return switch (status) {
      case FORBIDDEN ->
          new UnprovenException(
              refusal.formatted(name(), address, status, reason)
                  + ": give all processes the same one");
      case TOO_LONG, FAILED -> new IOException(refusal.formatted(name(), address, status, reason));
      default -> new UnprovenException(somethingElse("it answers with status " + status));
    };
  }

  private String somethingElse(String sign) {
    return "something else than %s serves at %s: %s. Give all processes a port that nothing else uses"
        .formatted(name(), address, sign);
  }

  private static boolean isBy(Class<? extends IOException> type, @Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
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
          "%s at %s replied more than %d bytes"
              .formatted(name(), address, address.service().maxBytes()));
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
