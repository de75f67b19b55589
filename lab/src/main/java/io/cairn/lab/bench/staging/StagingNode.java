package io.cairn.lab.bench.staging;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.lab.measure.Scratch;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A process that stages for a training: an executor without ranks, and without Spark around it. Its
 * parent has the desk where both learn of each other, as an application's driver has. One thread.
 */
final class StagingNode implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  /** Waits for no other process, since nobody shares device memory. */
  private static final DeskTerms TERMS = new DeskTerms(1, 100, 1000);

  /** The first node by name stages. */
  private static final String STAGING = "a-staging-node";

  private static final String TRAINING = "b-training";
  private static final PeerSecret SECRET =
      PeerSecret.derived("bench", false, "the secret of a bench");

  private static final String STAGED = "staged ";

  private final DeskHost desk;
  private final TcpPeerTransport transport;
  private final ChildProcess process;

  /** Starts a desk, and a process that serves there. */
  StagingNode(Scratch scratch, long bytesPerSecond) throws IOException {
    desk =
        new DeskHost(
            TERMS,
            holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
            new ParametricFlowScheduler(true, false));
    try {
      transport =
          TcpPeerTransport.open(
              HOST, 0, SECRET, desk.service((holder, message) -> {}), PeerLimits.DEFAULT);
    } catch (IOException | RuntimeException e) {
      desk.close();
      throw e;
    }
    try {
      process =
          Command.java(
                  StagingNode.class,
                  transport.address().port(),
                  bytesPerSecond,
                  scratch.onDisk("store"),
                  scratch.inMemory("staging-node"),
                  scratch.inMemory("staging-device"))
              .withErrorsInOutput()
              .start();
    } catch (IOException | RuntimeException e) {
      closeDesk();
      throw e;
    }
    try {
      process.await("serves");
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The process's entry: a port, a rate, and the directories of a job. Answers each line. */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> settings =
        Map.of(
            "job",
            StagingBenchmark.JOB,
            "staging",
            "1",
            "rate",
            arguments[1],
            "store",
            arguments[2],
            "node.dir",
            arguments[3],
            "device.dir",
            arguments[4],
            "device.cacheSize",
            "64m");
    try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings))) {
      join(cairn, STAGING, Integer.parseInt(arguments[0]));
      System.out.println("serves");
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (lines.readLine() != null) {
        long bytes = cairn.counters().snapshot().getOrDefault("staged.bytes", 0L);
        System.out.println(STAGED + bytes);
      }
    }
  }

  /** Tells a training's process of the staging node, and that of the training. */
  void join(CairnEngine training) throws IOException {
    join(training, TRAINING, transport.address().port());
  }

  /** The bytes that it has written to STORE so far. */
  long stagedBytes() throws IOException {
    process.send("how many");
    return Long.parseLong(process.await(STAGED));
  }

  private static void join(CairnEngine cairn, String name, int port) throws IOException {
    cairn.joinNodes(
        name,
        name,
        new PeerAddress(HOST, port),
        service -> TcpPeerTransport.open(HOST, 0, SECRET, service, PeerLimits.DEFAULT));
  }

  private void closeDesk() {
    transport.close();
    desk.close();
  }

  @Override
  public void close() {
    process.close();
    closeDesk();
  }
}
