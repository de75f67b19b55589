package io.cairn.core.peer;

import java.io.IOException;

/** A peer that a test can kill without a word, as the machine's failure or kill -9 would. */
public interface MortalPeer extends AutoCloseable {
  /** Where it serves. */
  PeerAddress address();

  /** Waits until it is in the middle of what it does. */
  void awaitBusy() throws IOException, InterruptedException;

  /** Kills it and waits for its end: no connection and no port of it is open afterwards. */
  void kill() throws IOException, InterruptedException;

  /** Kills it, if it lives. */
  @Override
  void close();
}
