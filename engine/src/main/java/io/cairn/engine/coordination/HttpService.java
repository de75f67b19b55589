package io.cairn.engine.coordination;

/** A service that processes without Spark offer each other over HTTP, each at a path of its own. */
public enum HttpService {
  /** The coordinators of coupled groups. */
  COORDINATOR("the coordinator", "/cairn/exchange", 16 << 20),

  /** Writes other processes' checkpoints to STORE. */
  STAGING("the staging server", "/cairn/staging", 5 << 20);

  private final String noun;
  private final String path;
  private final int maxBytes;

  HttpService(String noun, String path, int maxBytes) {
    this.noun = noun;
    this.path = path;
    this.maxBytes = maxBytes;
  }

  /** The process that serves, for messages. */
  String noun() {
    return noun;
  }

  /** The one path that is served. */
  String path() {
    return path;
  }

  /** The longest request, and the longest reply. */
  int maxBytes() {
    return maxBytes;
  }
}
