package io.cairn.engine.coordination;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.Setting;
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
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Carries requests to a {@link HttpExchangeServer}, one POST each. Thread-safe. */
public final class HttpExchangeClient implements Exchange {
  /*
   * The nonce
   *
   * Each server has a nonce, which it proves to know the secret with, and which each request names.
   * So a request that was recorded has no worth for the next server. A client asks for it before
   * its first request, and again after a failure, since another server may have begun.
   *
   * Proxies
   *
   * A proxy answers with a status of 500 or more, or closes each connection, while the coordinator
   * behind it is not up yet. So such an answer is tried again, unlike that of another program.
   */
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = ExchangeServer.LONGEST_HOLD.plusSeconds(10);
  private static final Duration BODY = Duration.ofSeconds(30);
  private static final int MAX_REASON_BYTES = 500;

  /** A host that ends closes a connection without a word; one that is there does not. */
  private static final int MOST_MUTE = 10;

  private static final int OK = 200;
  private static final int OTHER_NONCE = 401;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LONG = 413;
  private static final int FAILED = 500;

  private final HttpAddress address;

  /** Connections in a row that were closed without a word. */
  private final AtomicInteger mute = new AtomicInteger();

  private volatile Optional<String> nonce = Optional.empty();
  private volatile @Nullable SharedSecret secret;

  /** Reads replies, which may come slowly; a process has two open at a time. */
  private final ExecutorService threads =
      Executors.newCachedThreadPool(DaemonThreads.named("cairn-exchange-http"));

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .executor(threads)
          .build();

  /** Connects to nothing yet. */
  public HttpExchangeClient(HttpAddress address) {
    this.address = address;
  }

  @Override
  public int maxBytes() {
    return HttpAddress.MAX_BYTES;
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
    try {
      SharedSecret key = key();
      CompletableFuture<String> known =
          nonce.map(CompletableFuture::completedFuture).orElseGet(() -> askNonce(key));
      return known
          .thenCompose(of -> post(key, of, request))
          .exceptionallyCompose(
              failure ->
                  isBy(OtherServerException.class, failure)
                      ? askNonce(key).thenCompose(of -> post(key, of, request))
                      : CompletableFuture.failedFuture(failure))
          .whenComplete(
              (reply, failure) -> {
                if (failure != null) {
                  nonce = Optional.empty();
                }
              });
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private SharedSecret key() throws IOException {
    SharedSecret known = secret;
    if (known == null) {
      try {
        known = address.key();
      } catch (IOException e) {
        throw (IOException) new UnprovenException(String.valueOf(e.getMessage())).initCause(e);
      }
      secret = known;
    }
    return known;
  }

  private CompletableFuture<String> askNonce(SharedSecret key) {
    String challenge = UUID.randomUUID().toString();
    HttpRequest get =
        HttpRequest.newBuilder(address.uri())
            .timeout(ANSWER)
            .header(HttpAddress.CHALLENGE, challenge)
            .GET()
            .build();
    return send(
        get,
        (response, body) -> {
          String found =
              response
                  .headers()
                  .firstValue(HttpAddress.NONCE)
                  .orElseThrow(
                      () -> new UnprovenException(somethingElse("its answer is no coordinator's")));
          requireSigned(key.ofNonce(challenge, found), response);
          nonce = Optional.of(found);
          return found;
        });
  }

  private CompletableFuture<byte[]> post(SharedSecret key, String of, byte[] request) {
    String id = UUID.randomUUID().toString();
    String digest = SharedSecret.digest(request);
    String signature = key.ofRequest(of, id, request.length, digest);
    HttpRequest post =
        HttpRequest.newBuilder(address.uri())
            .timeout(ANSWER)
            .header(HttpAddress.NONCE, of)
            .header(HttpAddress.REQUEST, id)
            .header(HttpAddress.DIGEST, digest)
            .header(HttpAddress.SIGNATURE, signature)
            .POST(BodyPublishers.ofByteArray(request))
            .build();
    return send(
        post,
        (response, reply) -> {
          requireSigned(key.ofReply(signature, reply), response);
          return reply;
        });
  }

  /** Another server began at the address, and has not taken the request. */
  private static final class OtherServerException extends IOException {
    private static final long serialVersionUID = 1;

    OtherServerException(String message) {
      super(message);
    }
  }

  /** Reads a response of status 200. */
  private interface Reading<T> {
    T read(HttpResponse<?> response, byte[] body) throws IOException;
  }

  private <T> CompletableFuture<T> send(HttpRequest request, Reading<T> reading) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    var unused =
        http.sendAsync(request, BodyHandlers.ofInputStream())
            .whenCompleteAsync(
                (response, failure) -> settle(reply, reading, response, failure), threads);
    return reply;
  }

  private <T> void settle(
      CompletableFuture<T> reply,
      Reading<T> reading,
      @Nullable HttpResponse<InputStream> response,
      @Nullable Throwable failure) {
    try {
      if (response == null) {
        throw failed(failure);
      }
      mute.set(0);
      reply.complete(reading.read(response, body(response)));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
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
      return new IOException(somethingElse("it closes each connection without a word"), cause);
    }
    return cause instanceof ConnectException
        ? (IOException)
            new ConnectException("the coordinator does not serve at " + address).initCause(cause)
        : new IOException(
            "the coordinator at %s did not reply: %s".formatted(address, cause), cause);
  }

  /** The body of a response of status 200, in bounded time. */
  private byte[] body(HttpResponse<InputStream> response) throws IOException {
    CompletableFuture<Boolean> late = new CompletableFuture<>();
    try (InputStream body = response.body()) {
      var unused =
          late.completeOnTimeout(true, BODY.toNanos(), TimeUnit.NANOSECONDS)
              .thenAcceptAsync(over -> closeIf(over, body), threads);
      if (response.statusCode() != OK) {
        throw refused(response, reason(body));
      }
      byte[] reply = body.readNBytes(HttpAddress.MAX_BYTES + 1);
      if (reply.length > HttpAddress.MAX_BYTES) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "the coordinator at %s replied more than %d bytes",
                address,
                HttpAddress.MAX_BYTES));
      }
      return reply;
    } finally {
      late.complete(false);
    }
  }

  private static void closeIf(boolean over, InputStream body) {
    if (over) {
      try {
        body.close();
      } catch (IOException e) {
        // the reader learns it
      }
    }
  }

  private IOException refused(HttpResponse<?> response, String reason) {
    int status = response.statusCode();
    String refusal =
        String.format(
            Locale.ROOT,
            "the coordinator at %s refused with status %d: %s",
            address,
            status,
            reason);
    if (response.headers().firstValue(HttpAddress.NONCE).isEmpty()) {
      String other = somethingElse("it answers with status " + status);
      return status >= FAILED ? new IOException(other) : new UnprovenException(other);
    }
    return switch (status) {
      case FORBIDDEN -> new UnprovenException(refusal + ": give all processes the same one");
      case OTHER_NONCE -> new OtherServerException(refusal);
      case TOO_LONG, FAILED -> new IOException(refusal);
      default -> new UnprovenException(refusal);
    };
  }

  private String somethingElse(String sign) {
    return "something else than the coordinator serves at %s: %s. Give all processes a port that nothing else uses"
        .formatted(address, sign);
  }

  private static boolean isBy(Class<? extends IOException> type, @Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private static String reason(InputStream body) throws IOException {
    return new String(body.readNBytes(MAX_REASON_BYTES), StandardCharsets.UTF_8);
  }

  private void requireSigned(String expected, HttpResponse<?> response) throws IOException {
    String found = response.headers().firstValue(HttpAddress.SIGNATURE).orElse(null);
    if (!SharedSecret.matches(expected, found)) {
      throw new UnprovenException(
          "the reply from %s does not prove %s: give all processes the same one"
              .formatted(address, Setting.SECRET.name()));
    }
  }
}
