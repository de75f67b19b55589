package io.cairn.flush.store;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The calls of clients that the embedded NameNode has served, as it counts them itself. It counts a
 * call after its answer. Its one thread serves a call of ours after that, so all are counted then.
 */
public final class NameNodeCalls {
  private static final String COUNT = "NumOps";

  /** Our own call, those of the DataNode, and those of clients in the background. */
  private static final Set<String> OTHERS =
      Set.of(
          "GetFsStats",
          "SendHeartbeat",
          "BlockReport",
          "BlockReceivedAndDeleted",
          "RegisterDatanode",
          "VersionRequest",
          "RenewLease");

  private final Map<String, Long> before;

  /** Counts from now on. */
  public NameNodeCalls() throws IOException {
    before = served();
  }

  /** The calls by name since this was made, or since the last call of this method. */
  public Map<String, Long> since() throws IOException {
    Map<String, Long> calls = new TreeMap<>();
    Map<String, Long> now = served();
    now.forEach((name, count) -> calls.put(name, count - before.getOrDefault(name, 0L)));
    calls.values().removeIf(count -> count == 0);
    before.putAll(now);
    return calls;
  }

  private static Map<String, Long> served() throws IOException {
    try (FileSystem files =
        FileSystem.newInstance(EmbeddedHdfs.uri(), EmbeddedHdfs.impatientClient())) {
      files.getStatus();
    }
    String source = "RpcDetailedActivityForPort" + EmbeddedHdfs.uri().getPort();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
    Map<String, Long> calls = new TreeMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        String name = metric.name();
        if (name.endsWith(COUNT) && !name.startsWith("Overall") && !name.startsWith("Deferred")) {
          calls.put(name.substring(0, name.length() - COUNT.length()), metric.value().longValue());
        }
      }
    }
    calls.keySet().removeAll(OTHERS);
    return calls;
  }
}
