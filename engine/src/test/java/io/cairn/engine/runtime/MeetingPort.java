package io.cairn.engine.runtime;

import io.cairn.cache.memory.Until;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of loopback at which processes may meet. */
record MeetingPort(int number) {
  /** One that no process serves. */
  static MeetingPort free() throws IOException {
    return new MeetingPort(FreePort.find());
  }

  /** Waits until a process serves there. */
  void awaitHost() {
    Until.holds(this::isServed);
  }

  private boolean isServed() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
      return true;
    } catch (ConnectException e) {
      return false; // nobody listens yet
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the setting {@code coordinator}. */
  @Override
  public String toString() {
    return "127.0.0.1:" + number;
  }
}
