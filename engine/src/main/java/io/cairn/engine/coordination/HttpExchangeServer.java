package io.cairn.engine.coordination;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a {@link HttpService} over HTTP. A request without the right signature is answered by 403,
 * a longer one than the service takes by 413, and bytes that are no request by 400. Thread-safe;
 * its threads are daemons.
 */
public final class HttpExchangeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpExchangeServer.class);

  /** Bounds the requests that are buffered at once. */
  private static final int THREADS = 4;

  private static final int BACKLOG = 1024;
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LINGER_STEP_MILLIS = 10;

  // the JDK's server reads its properties once, before the first server
  static {
    // otherwise a reply's body waits some 40 ms for the delayed acknowledgement of its header
    setDefault("sun.net.httpserver.nodelay", "true");
    // a sender that stalls within a request holds no thread for longer
    setDefault("sun.net.httpserver.maxReqTime", "30");
  }

  private final HttpAddress address;
  private final HttpAnswering server;
  private final Optional<SharedSecret> secret;
  private final LongSupplier nanoTime;
  private final Waits waits;
  private final HttpServer http;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "cairn-coordinator-http");
            thread.setDaemon(true);
            return thread;
          });

  /** The reason to refuse a request, and its status. */
  private static final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refusal(int status, String reason) {
      super(reason);
      this.status = status;
    }
  }

  /**
   * Binds the address and serves.
   *
   * @throws IOException if another process has bound it, or it belongs to another machine
   */
  public HttpExchangeServer(HttpAddress address, HttpAnswering server) throws IOException {
    this(address, server, System::nanoTime, Waits.REAL);
  }

  /**
   * Like the other constructor, with a clock.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param waits how {@link #close} waits
   */
  HttpExchangeServer(HttpAddress address, HttpAnswering server, LongSupplier nanoTime, Waits waits)
      throws IOException {
    this.nanoTime = nanoTime;
    this.waits = waits;
    this.address = address;
    this.server = server;
    this.secret = address.key();
    this.http = HttpServer.create(address.socket(), BACKLOG);
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    startAsDaemon();
  }

  /** The port that it serves at. */
  public int port() {
    return http.getAddress().getPort();
  }

  /** The server's own thread is a daemon if the thread that starts it is one. */
  private void startAsDaemon() {
    Thread starter = new Thread(http::start, "cairn-coordinator-start");
    starter.setDaemon(true);
    starter.start();
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Hands a request to the server; its reply may come later, and holds no thread until then. */
  private void handle(HttpExchange exchange) {
    try {
      String signature = exchange.getRequestHeaders().getFirst(HttpAddress.SIGNATURE);
      CompletionStage<byte[]> reply = answer(request(exchange, signature));
      var unused =
          reply.thenAcceptAsync(
              bytes -> reply(exchange, String.valueOf(signature), bytes), threads);
    } catch (Refusal e) {
      send(exchange, e.status, String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.debug("A request was cut off", e);
      exchange.close();
    }
  }

  private void reply(HttpExchange exchange, String signature, byte[] bytes) {
    secret.ifPresent(
        key ->
            exchange
                .getResponseHeaders()
                .set(HttpAddress.SIGNATURE, key.ofReply(signature, bytes)));
    send(exchange, 200, bytes);
  }

  private static void send(HttpExchange exchange, int status, byte[] bytes) {
    try (exchange) {
      exchange.sendResponseHeaders(status, bytes.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(bytes);
      }
    } catch (IOException e) {
      LOG.debug("A process received no reply", e);
    }
  }

  /** The request's bytes, which the secret's owner sent. */
  private byte[] request(HttpExchange exchange, @Nullable String signature) throws IOException {
    HttpService service = address.service();
    if (!exchange.getRequestURI().getPath().equals(service.path())) {
      throw new Refusal(404, "only " + service.path() + " is served");
    } else if (!exchange.getRequestMethod().equals("POST")) {
      throw new Refusal(405, "only POST is served");
    }
    byte[] request = exchange.getRequestBody().readNBytes(service.maxBytes() + 1);
    if (request.length > service.maxBytes()) {
      throw new Refusal(413, "more than " + service.maxBytes() + " bytes");
    } else if (secret.isPresent()
        && !SharedSecret.matches(secret.get().ofRequest(request), signature)) {
      throw new Refusal(403, "the request does not prove " + service.secretSetting());
    }
    return request;
  }

  private CompletionStage<byte[]> answer(byte[] request) throws Refusal {
    try {
      return server.answer(request);
    } catch (IllegalArgumentException e) {
      LOG.debug("A request was refused", e);
      throw new Refusal(400, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("A request could not be handled", e);
      throw new Refusal(500, address.service().noun() + " failed: " + e);
    }
  }

  /**
   * Ends the server. Processes that asked a moment ago fetch the messages that wait for them, for
   * at most 3 s.
   */
  @Override
  public void close() {
    long begin = nanoTime.getAsLong();
    try {
      while (server.owesMessages() && nanoTime.getAsLong() - begin < LINGER_NANOS) {
        waits.sleep(LINGER_STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.stop(0);
    threads.shutdownNow();
  }
}
