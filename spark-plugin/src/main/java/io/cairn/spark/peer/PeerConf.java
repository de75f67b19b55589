package io.cairn.spark.peer;

import io.cairn.core.peer.PeerLimits;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/** The settings of Spark's network layer for peers: a module beside shuffle and rpc. */
final class PeerConf {
  private static final String MODULE = "cairn";
  private static final String IO = "spark." + MODULE + ".io.";

  private PeerConf() {}

  static TransportConf of(PeerSecurity security, PeerLimits limits) {
    Map<String, String> settings = new TreeMap<>(security.settings());
    // the defaults differ between the lines of Spark
    settings.put(IO + "mode", "NIO");
    settings.put(IO + "serverThreads", Integer.toString(limits.threads()));
    settings.put(IO + "clientThreads", Integer.toString(limits.threads()));
    settings.put(IO + "numConnectionsPerPeer", "1");
    settings.put(IO + "enableTcpKeepAlive", "true");
    settings.put(IO + "connectionCreationTimeout", seconds(limits.connect()));
    settings.put("spark.network.auth.rpcTimeout", seconds(limits.connect()));
    // the layer's own limit, which closes the connection, comes after those of calls
    Duration longest =
        limits.answer().compareTo(limits.push()) > 0 ? limits.answer() : limits.push();
    settings.put(IO + "connectionTimeout", seconds(longest.multipliedBy(2)));
    return new TransportConf(MODULE, new MapConfigProvider(settings));
  }

  /** Rounded up: the layer counts in whole seconds, and 0 means no limit. */
  private static String seconds(Duration time) {
    return Math.max(1, (time.toMillis() + 999) / 1000) + "s";
  }
}
