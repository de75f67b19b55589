package io.cairn.spark.peer;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Stalling;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A peer in a process of its own: either takes a push and hangs, or sends one. */
final class PeerProcess implements MortalPeer {
  private static final String SERVES = "SERVES ";
  private static final String BUSY = "BUSY";
  private static final int PUSH_BYTES = 64 << 20;

  private final Process process;
  private final BufferedReader lines;
  private final PeerAddress address;

  private PeerProcess(Process process) throws IOException {
    this.process = process;
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    address = new PeerAddress("127.0.0.1", Integer.parseInt(await(SERVES)));
  }

  static PeerProcess receiver(TestSecurity security) throws IOException {
    return start(security.name());
  }

  static PeerProcess sender(TestSecurity security, PeerAddress to) throws IOException {
    return start(security.name(), to.host(), Integer.toString(to.port()));
  }

  private static PeerProcess start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            PeerProcess.class.getName()));
    command.addAll(List.of(arguments));
    return new PeerProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private String await(String prefix) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith(prefix)) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the peer's process ended before it said " + prefix);
    }
    return line.substring(prefix.length());
  }

  @Override
  public PeerAddress address() {
    return address;
  }

  @Override
  public void awaitBusy() throws IOException {
    await(BUSY);
  }

  /** SIGKILL. */
  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
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
