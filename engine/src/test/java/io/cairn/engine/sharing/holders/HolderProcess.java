package io.cairn.engine.sharing.holders;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.CountingStore;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A holder with one rank, a group of its own, that takes commands as lines on standard input; see
 * {@link HolderCommands}. A line {@code go} opens its device's gate, at once. Ends with its input.
 */
final class HolderProcess {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private HolderProcess() {}

  /** Arguments are settings, {@code name=value}; those without a dot first are its own. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> settings = new TreeMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    int desk = Integer.parseInt(settings.remove("desk"));
    String group = Objects.requireNonNull(settings.remove("group"));
    String process = Objects.requireNonNull(settings.remove("process"));
    int chunks = Integer.parseInt(settings.remove("chunks"));
    SharingTerms terms =
        new SharingTerms(
            Duration.ofSeconds(10),
            Duration.ofMillis(Long.parseLong(settings.remove("fillMillis"))),
            Duration.ofSeconds(5),
            100,
            Duration.ofMillis(Long.parseLong(settings.remove("silenceMillis"))));
    String machine = Objects.requireNonNull(settings.remove("machine"));
    PeerSecret secret = SharingCluster.secret(Boolean.parseBoolean(settings.remove("seals")));
    CairnConfig config = CairnConfig.of(settings);
    GatedMemory memory =
        new GatedMemory(
            SharedMemoryDevice.open(
                config.deviceDirectory(),
                config.deviceDirectory(),
                config.cacheBytes().getAsLong()),
            () -> say("midwrite now"));
    CountingStore store = new CountingStore(CheckpointStores.open(config.store()));
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    listen(lines, memory);
    try (CairnEngine cairn = CairnEngine.open(config, store, memory)) {
      AtomicBoolean holdPush = new AtomicBoolean();
      HolderCommands commands = new HolderCommands(cairn, store, memory, holdPush, group, chunks);
      cairn.observers().add(HolderProcess::report);
      cairn.share(
          (cache, device, threads) ->
              commands.sharing(
                  cache,
                  new Sharing(
                      terms,
                      process,
                      cache,
                      device,
                      machine,
                      0,
                      new PeerAddress("127.0.0.1", desk),
                      service ->
                          TcpPeerTransport.open(
                              "127.0.0.1",
                              0,
                              secret,
                              new HeldPushes(service, holdPush, () -> say("midpush now")),
                              PeerLimits.DEFAULT),
                      threads)));
      try (Checkpointer checkpointer = cairn.join(group)) {
        commands.run(checkpointer, lines);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static void report(CairnEvent event) {
    if (event instanceof CairnEvent.Withdrawn withdrawn) {
      say("withdrawn " + withdrawn.id().label() + " " + withdrawn.reason());
    }
  }

  private static void listen(BlockingQueue<String> lines, GatedMemory memory) {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Thread reader =
        new Thread(
            () -> {
              try {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                  if (line.equals("go")) {
                    memory.open();
                  } else {
                    lines.add(line);
                  }
                }
              } catch (IOException e) {
                say("failed to listen: " + e);
              }
              Runtime.getRuntime().halt(1);
            });
    reader.setDaemon(true);
    reader.start();
  }

  /** In one write, so that a kill cannot tear a line. */
  static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
