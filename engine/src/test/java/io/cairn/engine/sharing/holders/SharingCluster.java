package io.cairn.engine.sharing.holders;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A desk, and holders on one machine that share by its plans. One thread. */
final class SharingCluster implements AutoCloseable {
  /** Chunks of a rank's state. */
  static final int CHUNKS = 6;

  /** Chunks that lie elsewhere if the rank has a {@linkplain #tight tight} cache. */
  static final int BORROWED = 4;

  private final Path root;
  private final boolean seals;
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(TimeUnit.MILLISECONDS.toNanos(20), 100, 1000),
          SharingCluster::topology,
          new ParametricFlowScheduler(true, false));
  private final PeerTransport transport;
  private final Map<String, CompletableFuture<@Nullable Void>> reported = new ConcurrentHashMap<>();
  private int settingsMade;
  private final List<Holder> holders = new ArrayList<>();

  SharingCluster(Path root) throws IOException {
    this(root, false);
  }

  SharingCluster(Path root, boolean seals) throws IOException {
    this.root = root;
    this.seals = seals;
    transport =
        TcpPeerTransport.open(
            "127.0.0.1",
            0,
            secret(seals),
            listening(desk.service((holder, message) -> send(holder, message))),
            PeerLimits.DEFAULT);
  }

  /** The secret of the desk and all holders. */
  static PeerSecret secret(boolean seals) {
    return PeerSecret.derived("stones on the way back", seals, "the secret of a test");
  }

  private void send(PeerAddress holder, byte[] message) {
    var unused = transport.ask(holder, message);
  }

  private static Topology topology(List<HolderSite> holders) {
    return Topology.builder(holders.size()).linkAll(1e9).host(1).build();
  }

  /** Records the holders that have reported to the desk. */
  private PeerService listening(PeerService service) {
    return new PeerService() {
      @Override
      public CompletionStage<byte[]> answer(byte[] request) {
        DeskMessage message =
            ((PeerRequest.Desk) Wire.decode(request, PeerRequest.class)).message();
        return service.answer(request).whenComplete((answer, failure) -> note(message));
      }

      @Override
      public PeerSink receive(byte[] header, long bytes) throws IOException {
        return service.receive(header, bytes);
      }
    };
  }

  private void note(DeskMessage message) {
    if (message instanceof DeskMessage.Spare spare) {
      reported(spare.holder()).complete(null);
    }
  }

  private CompletableFuture<@Nullable Void> reported(String holder) {
    return reported.computeIfAbsent(holder, h -> new CompletableFuture<>());
  }

  /** Settings of a rank whose state fits four times. */
  Map<String, String> roomy(String group) {
    return settings(group, 4 * CHUNKS);
  }

  /** Settings of a rank of whose state a third fits. */
  Map<String, String> tight(String group) {
    return settings(group, CHUNKS - BORROWED);
  }

  Map<String, String> settings(String group, int slots) {
    Map<String, String> settings = new HashMap<>();
    settings.put("desk", Integer.toString(transport.address().port()));
    settings.put("group", group);
    settings.put("process", group + "-" + settingsMade++);
    settings.put("chunks", Integer.toString(CHUNKS));
    settings.put("fillMillis", "20000");
    settings.put("silenceMillis", "2000");
    settings.put("machine", "this machine");
    settings.put("seals", Boolean.toString(seals));
    settings.put("job", "test");
    settings.put("store", root.resolve("store").toString());
    settings.put("node.dir", root.resolve("node").toString());
    settings.put("device.dir", root.resolve("device").toString());
    settings.put("device.cacheSize", Integer.toString(slots * Training.CHUNK_BYTES));
    settings.put("chunkSize", Integer.toString(Training.CHUNK_BYTES));
    settings.put("node.every", "100000");
    settings.put("store.every", "100000");
    return settings;
  }

  /** Starts a holder, and waits until the desk knows what it has to spare. */
  Holder start(Map<String, String> settings) throws Exception {
    Holder holder = Holder.start(settings);
    holders.add(holder);
    reported(holder.id()).get(20, TimeUnit.SECONDS);
    return holder;
  }

  /** Kills a holder with SIGKILL, and removes it from the desk, as the driver does. */
  void kill(Holder holder) throws IOException, InterruptedException {
    holder.process().kill();
    desk.gone(HolderId.parse(holder.id()).process());
  }

  @Override
  public void close() throws IOException {
    for (Holder holder : holders) {
      holder.close();
    }
    transport.close();
    desk.close();
  }
}
