package io.cairn.lab.bench.scale;

import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.CommitThreads;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** A driver, without Spark around it: its coordinators, its port and its store. */
final class ScaleDriver implements PeerService {
  /** Of driver and executors; nothing is sealed. */
  static final PeerSecret SECRET = PeerSecret.derived("bench", false, "the secret of a bench");

  /** Checkpoints go no further than DEVICE, since no rank has data. */
  private static final CadencePolicy DEVICE_ONLY =
      CadencePolicy.fixed(CadencePlan.every(1, 1_000_000_000, 1_000_000_000), Map.of());

  private final ExchangeServer server;
  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  private ScaleDriver(CheckpointStore store) {
    HostContext context =
        new HostContext(
            DEVICE_ONLY,
            RetentionPolicy.newest(2),
            Duration.ofMinutes(5),
            store,
            Duration.ofSeconds(30),
            "bench scale",
            Executors.newSingleThreadExecutor(),
            CommitThreads.open(),
            Executors.newSingleThreadExecutor(),
            new CadenceReports(),
            System::nanoTime,
            InstantSource.system(),
            HostContext.Alarm.REAL);
    server = new ExchangeServer(context.hosts(), request -> {}, System::nanoTime);
  }

  /** Serves, with the store of the first argument, and reports its usage at each line of input. */
  public static void main(String[] arguments) throws IOException {
    try (CheckpointStore store = CheckpointStores.open(arguments[0])) {
      ScaleDriver driver = new ScaleDriver(store);
      try (TcpPeerTransport transport =
          TcpPeerTransport.open("127.0.0.1", 0, SECRET, driver, PeerLimits.DRIVER)) {
        System.out.println("port " + transport.address().port());
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
          System.out.println("usage " + driver.usage());
        }
      }
    }
    System.exit(0);
  }

  private String usage() {
    System.gc();
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.join(
        " ",
        Long.toString(requests.sum()),
        Long.toString(bytes.sum()),
        Long.toString(system.getProcessCpuTime()),
        Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount()),
        Long.toString(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    requests.increment();
    bytes.add(request.length);
    return server.answer(request);
  }
}
