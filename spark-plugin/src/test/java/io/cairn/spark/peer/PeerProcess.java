package io.cairn.spark.peer;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Stalling;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** A peer in a process of its own: either takes a push and hangs, or sends one. */
final class PeerProcess implements MortalPeer {
  private static final String SERVES = "SERVES ";
  private static final String BUSY = "BUSY";
  private static final int PUSH_BYTES = 64 << 20;

  private final ChildProcess process;
  private final PeerAddress address;

  private PeerProcess(ChildProcess process) throws IOException {
    this.process = process;
    address = new PeerAddress("127.0.0.1", Integer.parseInt(process.await(SERVES)));
  }

  static PeerProcess receiver(TestSecurity security) throws IOException {
    return start(security.name());
  }

  static PeerProcess sender(TestSecurity security, PeerAddress to) throws IOException {
    return start(security.name(), to.host(), to.port());
  }

  private static PeerProcess start(Object... arguments) throws IOException {
    return new PeerProcess(
        Command.java(PeerProcess.class, arguments)
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

  /** The child: security, and for a sender host and port. Ends when it is killed. */
  public static void main(String[] arguments) throws Exception {
    PeerSecurity security = TestSecurity.valueOf(arguments[0]).with(TestSecurity.SECRET);
    Stalling stalling = new Stalling();
    PeerTransport transport =
        SparkPeerTransport.open("127.0.0.1", 0, stalling, security, PeerLimits.DEFAULT);
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
