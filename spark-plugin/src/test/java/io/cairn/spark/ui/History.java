package io.cairn.spark.ui;

import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;

/** Spark's history server over a directory of event logs. */
public final class History implements AutoCloseable {
  private final HistoryServer server;

  /**
   * Begins to serve.
   *
   * @param store keeps what was replayed, on disk
   */
  public History(Path logs, Path store) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.history.fs.logDirectory", logs.toUri().toString())
            .set("spark.history.store.path", store.toString())
            .set("spark.ui.enabled", "true");
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    server =
        new HistoryServer(conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), 0);
    server.bind();
    provider.start();
    provider.checkForLogs();
  }

  /** The address of an application's tab. */
  public String tab(String application) {
    return "http://127.0.0.1:" + server.boundPort() + "/history/" + application + "/checkpoints/";
  }

  @Override
  public void close() {
    server.stop();
  }
}
