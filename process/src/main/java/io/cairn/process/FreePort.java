package io.cairn.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports at which child processes may listen. Thread-safe. */
public final class FreePort {
  /*
   * Range
   *
   * A port is free between its find and the child's start, or while a killed child is away.
   * Meanwhile no connection may get it from the system, so it lies below those that Linux gives
   * away.
   */
  private static final int FIRST = 20_000;
  private static final int END = 30_000;
  private static final int MOST_TRIES = 1_000;

  private static final Set<Integer> FOUND = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * A port of the loopback interface at which nobody listens now. This process finds it once.
   *
   * @throws IOException if there is none
   */
  public static int find() throws IOException {
    IOException failure = new IOException("each port that was tried has been found before");
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        if (FOUND.add(socket.getLocalPort())) {
          return port;
        }
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }
}
