package io.cairn.spark;

import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;

/**
 * Spark's history server on this machine, for trials and tests: it shows applications that have
 * ended, or were killed, from their event logs. Thread-safe.
 */
public final class LocalHistory implements AutoCloseable {
  private final HistoryServer server;

  private LocalHistory(HistoryServer server) {
    this.server = server;
  }

  /**
   * Begins to serve. The logs that are there by now are found before this returns.
   *
   * @param logs a directory of event logs, one per application
   * @param store a directory that keeps what was replayed
   * @param port the first port that is tried; 0 for any free one
   */
  public static LocalHistory open(Path logs, Path store, int port) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.history.fs.logDirectory", logs.toUri().toString())
            .set("spark.history.store.path", store.toString())
            .set("spark.ui.enabled", "true");
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    // Before the provider's own thread looks: a look passes over the logs that another one reads.
    provider.checkForLogs();
    HistoryServer server =
        new HistoryServer(conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), port);
    server.bind();
    provider.start();
    return new LocalHistory(server);
  }

  /** The address of its list of applications. */
  public String address() {
    return "http://127.0.0.1:" + server.boundPort() + "/";
  }

  /** The address of the tab "Checkpoints" of an application. */
  public String tab(String application) {
    return address() + "history/" + application + "/checkpoints/";
  }

  @Override
  public void close() {
    server.stop();
  }
}
