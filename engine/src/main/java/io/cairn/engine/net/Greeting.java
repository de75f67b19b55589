package io.cairn.engine.net;

import io.cairn.core.peer.PeerException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client's part of a {@link Hello}, over a socket that waits. */
final class Greeting {
  private Greeting() {}

  /** The other end is not the one that was meant, or is too slow. */
  static final class GreetingException extends IOException {
    private static final long serialVersionUID = 1;
    private final Reason reason;

    GreetingException(Reason reason, String message) {
      super(message);
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }
  }

  /**
   * Proves the secret to the other end, and requires its proof.
   *
   * @param share for the agreement on keys; null if nothing is sealed
   * @param limit for all of it
   * @throws GreetingException if the other end proves nothing, or not in time
   */
  static Session exchange(
      Socket socket, PeerSecret secret, @Nullable KeyShare share, boolean pushes, Duration limit)
      throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    byte[] own = Hello.begin(pushes ? Hello.Role.P : Hello.Role.Q, share);
    socket.getOutputStream().write(own);
    byte[] hello = new byte[Hello.SERVER_BYTES];
    read(socket, hello, 0, Hello.NAME_BYTES, end);
    if (!Hello.isOurs(hello)) {
      throw new GreetingException(
          Reason.UNPROVEN,
          "something else than Cairn serves there: give all processes a port that nothing else"
              + " uses");
    }
    read(socket, hello, Hello.NAME_BYTES, Hello.VERSION_BYTES, end);
    if (!Hello.isOfThisVersion(hello)) {
      throw new GreetingException(
          Reason.UNPROVEN, "it has another version: give all processes the same one");
    }
    read(socket, hello, Hello.VERSION_BYTES, Hello.GREETING_BYTES, end);
    requireServer(hello, secret.seals());
    read(socket, hello, Hello.GREETING_BYTES, hello.length, end);
    byte[] said = Hello.said(own, hello);
    if (!Hello.provesServer(secret, hello, said)) {
      throw new GreetingException(
          Reason.UNPROVEN,
          "it does not prove %s: give all processes the same one".formatted(secret));
    }
    socket.getOutputStream().write(secret.proof(Hello.CLIENT, said));
    return Session.of(secret, said, share, Hello.share(hello));
  }

  private static void requireServer(byte[] hello, boolean seals) throws GreetingException {
    if (isServer(hello, !seals)) {
      throw new GreetingException(
          Reason.UNPROVEN,
          seals
              ? "it does not encrypt, and this process does: configure all processes alike"
              : "it encrypts, and this process does not: configure all processes alike");
    } else if (!isServer(hello, seals)) {
      throw new GreetingException(Reason.UNPROVEN, "it does not greet as a server does");
    }
  }

  private static boolean isServer(byte[] hello, boolean seals) {
    return Hello.role(hello, seals).filter(found -> found == Hello.Role.S).isPresent();
  }

  private static void read(Socket socket, byte[] to, int from, int end, long deadline)
      throws IOException {
    InputStream bytes = socket.getInputStream();
    int at = from;
    while (at < end) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      try {
        socket.setSoTimeout((int) Math.max(1, left));
        int count = bytes.read(to, at, end - at);
        if (count < 0) {
          throw new GreetingException(
              Reason.UNCONNECTED,
              String.format(
                  Locale.ROOT,
                  "it closed the connection after %d bytes; if that lasts, something else than"
                      + " Cairn serves there, or more connections than it takes",
                  at));
        }
        at += count;
      } catch (SocketTimeoutException e) {
        throw (IOException)
            new GreetingException(Reason.UNCONNECTED, "it does not greet in time").initCause(e);
      }
    }
  }
}
