package io.cairn.engine.coordination;

import java.util.concurrent.CompletionStage;

/** Answers the requests that reach a process over HTTP. Thread-safe. */
public interface HttpAnswering {
  /**
   * Answers one request, which may be any bytes of a sender that knows the secret. Never waits.
   *
   * @return completes normally, within seconds; no reply reaches the sender of one that fails
   * @throws IllegalArgumentException if the bytes are no request
   */
  CompletionStage<byte[]> answer(byte[] request);

  /** Whether a process that asked a moment ago has something to fetch, for which an end waits. */
  boolean owesMessages();
}
