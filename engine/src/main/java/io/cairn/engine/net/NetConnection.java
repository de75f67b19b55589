package io.cairn.engine.net;

import io.cairn.core.peer.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection whose ends have proven the secret to each other. All but {@link #loop} is called on
 * its loop's thread alone.
 */
final class NetConnection implements NetLoop.Member {
  private static final Logger LOG = LoggerFactory.getLogger(NetConnection.class);

  /** Slices that one connection writes before others have their turn. */
  private static final int SLICES = 8;

  private final NetLoop loop;
  private final SocketChannel channel;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Owner owner;
  private @Nullable SelectionKey key;
  private long receivedNanos;
  private boolean holding;
  private boolean ended;

  /** The user of a connection. */
  interface Owner extends FrameReader.Frames {
    /** Whether nothing is read at the moment, since the other end takes nothing. */
    boolean holdsBack(long queuedBytes);

    /** Some time has passed. */
    void look(long nowNanos);

    /** The connection is closed; open sinks have failed. Called once. */
    void ended(String why);
  }

  NetConnection(
      NetLoop loop, SocketChannel channel, FrameCodes incoming, FrameCodes outgoing, Owner owner) {
    this.loop = loop;
    this.channel = channel;
    this.reader = new FrameReader(incoming, owner);
    this.writer = new FrameWriter(outgoing);
    this.owner = owner;
  }

  /**
   * Begins to read; takes the place of the channel's former member, if that is of the same loop.
   */
  void begin() throws IOException {
    receivedNanos = loop.now();
    key = loop.register(channel, SelectionKey.OP_READ, this);
  }

  /** Where this is used. */
  NetLoop loop() {
    return loop;
  }

  /** Sends a frame as soon as the other end takes it. */
  void send(Frame.Kind kind, long number, ByteBuffer header, ByteBuffer body) {
    if (!ended) {
      writer.add(kind, number, header, body);
      interest();
    }
  }

  /** Writes what waits, as far as the other end takes it. */
  void flush() {
    if (!ended) {
      try {
        write();
      } catch (IOException | RuntimeException | Error e) {
        end(e);
      }
    }
  }

  /** When bytes came last, or when it began. */
  long receivedNanos() {
    return receivedNanos;
  }

  @Override
  public void ready(SelectionKey selected) throws IOException {
    if (selected.isWritable()) {
      write();
    }
    if (!ended && selected.isValid() && selected.isReadable()) {
      ByteBuffer bytes = loop.buffer();
      if (channel.read(bytes) < 0) {
        throw new EOFException("the connection has ended");
      }
      receivedNanos = loop.now();
      reader.take(bytes.flip());
      interest();
    }
  }

  private void write() throws IOException {
    int slices = SLICES;
    while (slices > 0 && writer.write(channel)) {
      slices--;
    }
    interest();
  }

  private void interest() {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      holding = owner.holdsBack(writer.queuedBytes());
      registered.interestOps(
          (holding ? 0 : SelectionKey.OP_READ)
              | (writer.queuedBytes() > 0 ? SelectionKey.OP_WRITE : 0));
    }
  }

  @Override
  public void look(long nowNanos) {
    owner.look(nowNanos);
    if (holding) {
      interest();
    }
  }

  @Override
  public void end(Throwable cause) {
    if (ended) {
      return;
    }
    ended = true;
    LOG.debug("A connection ended", cause);
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("It was not closed in order", e);
    }
    String why = Refusal.of(cause);
    try {
      reader.end(why);
    } catch (RuntimeException e) {
      LOG.warn("A sink failed to fail", e);
    } finally {
      owner.ended(why);
    }
  }
}
