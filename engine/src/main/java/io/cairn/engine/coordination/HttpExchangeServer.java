package io.cairn.engine.coordination;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.Setting;
import io.cairn.engine.events.Repeats;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves coordinators over HTTP to senders that know their secret. A request without the right
 * signature is answered by 403, one for another server by 401, a longer one than is taken by 413,
 * and bytes that are no request by 400. Thread-safe; its threads are daemons.
 */
public final class HttpExchangeServer implements AutoCloseable {
  /*
   * Strangers
   *
   * One thread accepts, reads and writes, and waits for nobody. A sender proves the secret by the
   * head of its request: until then it costs a few KiB, for a few seconds. Of more such connections
   * than MOST_STRANGERS the oldest ends, since a process that knows the secret proves it at once.
   * Memory for a body is taken only after that, for some bodies at a time.
   *
   * Failures
   *
   * The thread ends with the server alone. A process without a file for one more connection, or for
   * a class, serves those that it has, and accepts again after a moment.
   *
   * Replay
   *
   * A request names the nonce of the server, and has a name of its own that counts once.
   */
  private static final Logger LOG = LoggerFactory.getLogger(HttpExchangeServer.class);

  /** Threads that answer requests, which never wait. */
  private static final int THREADS = 4;

  /** Bodies of the greatest length that are held at once. */
  private static final int MOST_BODIES = 4;

  static final int MOST_STRANGERS = 256;

  /** Names of requests that are remembered. */
  private static final int MOST_NAMES = 100_000;

  private static final int BACKLOG = 1024;
  private static final long HEAD_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long BODY_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long ANSWER_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long IDLE_NANOS = Duration.ofMinutes(30).toNanos();
  private static final long LOOK_MILLIS = 200;
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LINGER_STEP_MILLIS = 10;

  private final HttpAddress address;
  private final ExchangeServer server;
  private final SharedSecret secret;
  private final LongSupplier nanoTime;
  private final Waits waits;
  private final String nonce = UUID.randomUUID().toString();
  private final Repeats repeats;
  private final ServerSocketChannel listening;
  private final Selector selector;
  private final SelectionKey accepting;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, DaemonThreads.named("cairn-coordinator-http"));

  // the thread's alone
  private final Set<HttpConnection> connections = new LinkedHashSet<>();
  private final Set<HttpConnection> strangers = new LinkedHashSet<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final Queue<Proven> waiting = new ArrayDeque<>();

  /** Bytes of bodies that are being read or answered, by their requests. */
  private final Map<Proven, Integer> held = new HashMap<>();

  private long lookedNanos;

  private volatile boolean closed;

  /** A request whose head was proven, and whose body is not read yet. */
  private record Proven(HttpConnection from, int bytes, String digest, String signature) {}

  /** The reason to refuse a request, and its status. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refusal(int status, String reason) {
      super(reason);
      this.status = status;
    }

    byte[] text() {
      return String.valueOf(getMessage()).getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Binds the address and serves.
   *
   * @throws IOException if another process has bound it, it belongs to another machine, or the
   *     user's secret is needed and cannot be read
   */
  public HttpExchangeServer(HttpAddress address, ExchangeServer server) throws IOException {
    this(address, server, System::nanoTime, Waits.REAL);
  }

  /**
   * Like the other constructor, with a clock.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param waits how {@link #close} waits, and the thread after a failure
   */
  HttpExchangeServer(HttpAddress address, ExchangeServer server, LongSupplier nanoTime, Waits waits)
      throws IOException {
    this.nanoTime = nanoTime;
    this.waits = waits;
    this.address = address;
    this.server = server;
    this.secret = address.key();
    this.repeats = new Repeats(nanoTime);
    this.selector = Selector.open();
    ServerSocketChannel opened = null;
    try {
      opened = ServerSocketChannel.open();
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      opened.bind(address.socket(), BACKLOG);
      opened.configureBlocking(false);
      this.accepting = opened.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException | RuntimeException | Error e) {
      close(opened);
      close(selector);
      throw e;
    }
    this.listening = opened;
    this.thread = DaemonThreads.unstarted("cairn-coordinator-serve", this::serve);
    start();
  }

  /** A thread that the system refuses leaves no address bound. */
  private void start() {
    try {
      thread.start();
    } catch (RuntimeException | Error e) {
      close(listening);
      close(selector);
      throw e;
    }
  }

  /** The port that it serves at. */
  public int port() {
    return listening.socket().getLocalPort();
  }

  /** The number of connections that have proven nothing yet; for tests. */
  int strangers() {
    CompletableFuture<Integer> counted = new CompletableFuture<>();
    soon(() -> counted.complete(strangers.size()));
    return counted.join();
  }

  private void serve() {
    try {
      while (!closed) {
        serveSome();
      }
    } finally {
      close(listening);
      List.copyOf(connections).forEach(this::end);
      close(selector);
    }
  }

  private void serveSome() {
    try {
      selector.select(this::serve, LOOK_MILLIS);
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      look();
    } catch (IOException | RuntimeException | Error e) {
      // one connection's failure is no other's
      warn("serve", e);
      rest();
    }
  }

  /** A failure that comes back at once must not take a core. */
  private void rest() {
    try {
      waits.sleep(LINGER_STEP_MILLIS);
    } catch (InterruptedException | RuntimeException | Error e) {
      debug("It did not rest", e);
    }
  }

  /** A log may fail for want of the same thing as the step before it. */
  private void warn(String what, Throwable failure) {
    try {
      repeats
          .pass(what)
          .ifPresent(
              more -> LOG.warn("{} could not {} a connection{}", address, what, more, failure));
    } catch (RuntimeException | Error e) {
      // nothing is left to tell it with
    }
  }

  private static void debug(String text, Throwable failure) {
    try {
      LOG.debug(text, failure);
    } catch (RuntimeException | Error e) {
      // nothing is left to tell it with
    }
  }

  private static void close(@Nullable Closeable socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException | RuntimeException | Error e) {
      debug("A socket was not closed", e);
    }
  }

  private void soon(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  private void serve(SelectionKey key) {
    if (key.isValid() && key.isAcceptable()) {
      accept();
    } else if (key.isValid() && key.attachment() instanceof HttpConnection connection) {
      go(connection, () -> step(connection, key));
    }
  }

  /** A step of one connection, which ends with its failure. */
  private interface Step {
    void run() throws IOException;
  }

  private void go(HttpConnection connection, Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      debug("A connection ended", e);
      end(connection);
    }
  }

  private void accept() {
    SocketChannel channel = null;
    try {
      channel = listening.accept();
      if (channel != null) {
        greet(channel);
      }
    } catch (IOException | RuntimeException | Error e) {
      close(channel);
      accepting.interestOps(0); // until the next look, since what waits to be accepted stays
      warn("accept", e);
      endOldestStranger(); // the process may have no file left for one more
    }
  }

  private void greet(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
    HttpConnection connection = new HttpConnection(channel, key);
    key.attach(connection);
    connection.until(after(HEAD_NANOS));
    connections.add(connection);
    strangers.add(connection);
    if (strangers.size() > MOST_STRANGERS) {
      endOldestStranger();
    }
  }

  private void endOldestStranger() {
    strangers.stream().findFirst().ifPresent(this::end);
  }

  private long after(long nanos) {
    return nanoTime.getAsLong() + nanos;
  }

  private void step(HttpConnection connection, SelectionKey key) throws IOException {
    if (key.isWritable()) {
      if (connection.write()) {
        connection.until(after(connection.isProven() ? IDLE_NANOS : HEAD_NANOS));
        connection.head().ifPresent(head -> begin(connection, head));
      }
    } else if (connection.expectsBody()) {
      connection.readBody();
    } else {
      boolean begins = connection.isProven() && !connection.isReading();
      Optional<HttpHead> head = connection.readHead();
      if (begins) {
        connection.until(after(HEAD_NANOS));
      }
      head.ifPresent(whole -> begin(connection, whole));
    }
  }

  private void begin(HttpConnection connection, HttpHead head) {
    try {
      if (!head.path().equals(HttpAddress.PATH)) {
        throw new Refusal(404, "only " + HttpAddress.PATH + " is served");
      } else if (head.method().equals("GET")) {
        String challenge = head.header(HttpAddress.CHALLENGE).orElse("");
        answer(connection, 200, secret.ofNonce(challenge, nonce), new byte[0]);
      } else {
        read(proven(connection, head));
      }
    } catch (Refusal e) {
      answer(connection, e.status, "", e.text());
    }
  }

  /** Checks the head of a request, before anything of its body is read. */
  private Proven proven(HttpConnection connection, HttpHead head) throws Refusal {
    long bytes = head.bodyBytes();
    String id = head.header(HttpAddress.REQUEST).orElse("");
    String digest = head.header(HttpAddress.DIGEST).orElse("");
    if (!head.method().equals("POST")) {
      throw new Refusal(405, "only POST is served");
    } else if (head.header("Origin").isPresent()) {
      throw new Refusal(403, "a page of a browser does not know " + setting());
    } else if (!head.header(HttpAddress.NONCE).orElse("").equals(nonce)) {
      throw new Refusal(401, "the request is for another server");
    }
    String signature = secret.ofRequest(nonce, id, bytes, digest);
    if (!SharedSecret.matches(signature, head.header(HttpAddress.SIGNATURE).orElse(null))
        || !isFirst(id)) {
      throw new Refusal(403, "the request does not prove " + setting());
    } else if (bytes > HttpAddress.MAX_BYTES) {
      throw new Refusal(413, "more than " + HttpAddress.MAX_BYTES + " bytes");
    }
    strangers.remove(connection);
    return new Proven(connection, (int) bytes, digest, signature);
  }

  private String setting() {
    return Setting.SECRET.name();
  }

  /** Whether a request is not one that was recorded, and is sent again. */
  private boolean isFirst(String id) {
    if (names.size() >= MOST_NAMES) {
      names.remove(names.iterator().next());
    }
    return names.add(id);
  }

  /** Reads a body now, or when there is room for it. */
  private void read(Proven request) {
    long bytes = held.values().stream().mapToLong(Integer::longValue).sum();
    if (bytes + request.bytes() > (long) MOST_BODIES * HttpAddress.MAX_BYTES) {
      request.from().until(after(ANSWER_NANOS));
      waiting.add(request);
      return;
    }
    HttpConnection from = request.from();
    held.put(request, request.bytes());
    from.until(after(BODY_NANOS));
    go(from, () -> from.expect(request.bytes(), body -> read(request, body)));
  }

  private void read(Proven request, byte[] body) {
    request.from().until(after(ANSWER_NANOS));
    threads.execute(() -> answer(request, body));
  }

  /** On a thread that may work for a moment. */
  private void answer(Proven request, byte[] body) {
    HttpConnection to = request.from();
    try {
      if (!SharedSecret.digest(body).equals(request.digest())) {
        throw new Refusal(403, "the request does not prove " + setting());
      }
      var unused =
          answer(body)
              .whenCompleteAsync(
                  (reply, failure) -> {
                    if (failure == null) {
                      String signature = secret.ofReply(request.signature(), reply);
                      soon(() -> answer(to, 200, signature, reply));
                    } else {
                      LOG.debug("A request is not answered", failure);
                      soon(() -> end(to));
                    }
                  },
                  threads);
    } catch (Refusal e) {
      soon(() -> answer(to, e.status, "", e.text()));
    } finally {
      soon(() -> release(request));
    }
  }

  private CompletionStage<byte[]> answer(byte[] request) throws Refusal {
    try {
      return server.answer(request);
    } catch (IllegalArgumentException e) {
      LOG.debug("A request was refused", e);
      throw new Refusal(400, String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      LOG.error("A request could not be handled", e);
      throw new Refusal(500, "the coordinator failed: " + e);
    }
  }

  /** A body is not held any more, so the next ones may be read. */
  private void release(Proven request) {
    if (held.remove(request) != null) {
      soon(this::readWaiting);
    }
  }

  /** Those without room wait again. */
  private void readWaiting() {
    for (int left = waiting.size(); left > 0; left--) {
      Proven next = waiting.poll();
      if (next != null) { // a read that fails ends its connection, and all that waits from there
        read(next);
      }
    }
  }

  private void answer(HttpConnection to, int status, String signature, byte[] bytes) {
    if (connections.contains(to)) {
      to.until(after(to.isProven() ? BODY_NANOS : HEAD_NANOS));
      to.answer(
          status,
          Map.of(HttpAddress.NONCE, nonce, HttpAddress.SIGNATURE, signature),
          bytes,
          status != 200);
    }
  }

  private void end(HttpConnection connection) {
    connection.close();
    connections.remove(connection);
    strangers.remove(connection);
    waiting.removeIf(request -> request.from().equals(connection));
    if (held.keySet().removeIf(request -> request.from().equals(connection))) {
      soon(this::readWaiting);
    }
  }

  /** Looks at times only, since there may be many connections. */
  private void look() {
    long now = nanoTime.getAsLong();
    if (now - lookedNanos >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
      lookedNanos = now;
      accepting.interestOps(SelectionKey.OP_ACCEPT);
      connections.stream().filter(one -> one.isLate(now)).toList().forEach(this::end);
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
      closed = true;
      selector.wakeup();
      thread.join(TimeUnit.NANOSECONDS.toMillis(LINGER_NANOS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closed = true;
      selector.wakeup();
      threads.shutdownNow();
    }
  }
}
