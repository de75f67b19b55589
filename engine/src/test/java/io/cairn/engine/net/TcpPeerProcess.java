package io.cairn.engine.net;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Stalling;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A peer in a process of its own: either takes a push and hangs, or sends one. */
final class TcpPeerProcess implements MortalPeer {
  static final String SECRET = "a secret of the job";

  private static final String SERVES = "SERVES ";
  private static final String BUSY = "BUSY";
  private static final int PUSH_BYTES = 64 << 20;

  private final ChildProcess process;
  private final PeerAddress address;

  private TcpPeerProcess(ChildProcess process) throws IOException {
    this.process = process;
    address = new PeerAddress("127.0.0.1", Integer.parseInt(process.await(SERVES)));
  }

  static PeerSecret secret() throws IOException {
    return PeerSecret.of(Optional.of(SECRET));
  }

  /** Nothing that it sends or takes is sealed. */
  static PeerSecret plain() {
    return PeerSecret.derived(SECRET, false, "the secret of a test");
  }

  /**
   * Starts a process.
   *
   * @param ways whether its connections are sealed; for a sender host and port, too
   */
  static TcpPeerProcess start(Object... ways) throws IOException {
    return new TcpPeerProcess(
        Command.java(TcpPeerProcess.class, ways)
            .small(256)
            .options("-XX:MaxDirectMemorySize=512m")
            .start());
  }

  @Override
  public PeerAddress address() {
    return address;
  }

  @Override
  public void awaitBusy() throws IOException {
    process.await(BUSY);
  }

  /** SIGKILL. */
  @Override
  public void kill() throws IOException, InterruptedException {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }

  /** The child, as {@link #start}. Ends when it is killed. */
  public static void main(String[] arguments) throws Exception {
    Stalling stalling = new Stalling();
    PeerTransport transport =
        TcpPeerTransport.open(
            "127.0.0.1",
            0,
            Boolean.parseBoolean(arguments[0]) ? secret() : plain(),
            stalling,
            PeerLimits.DEFAULT);
    System.out.println(SERVES + transport.address().port());
    if (arguments.length == 1) {
      stalling.awaitStalled();
    } else {
      PeerAddress to = new PeerAddress(arguments[1], Integer.parseInt(arguments[2]));
      transport
          .push(to, new byte[0], ByteBuffer.allocateDirect(PUSH_BYTES))
          .whenComplete((taken, failure) -> System.out.println("ENDED " + failure));
    }
    System.out.println(BUSY);
    new CountDownLatch(1).await();
  }
}
