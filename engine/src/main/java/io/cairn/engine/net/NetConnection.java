package io.cairn.engine.net;

import io.cairn.core.peer.Refusal;
import io.cairn.core.threads.DaemonThreads;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection whose ends have proven the secret to each other. It ends if the other end sends no
 * whole record or frame, or takes nothing, for too long. All but {@link #loop} is called on its
 * loop's thread alone.
 */
final class NetConnection implements NetLoop.Member {
  private static final Logger LOG = LoggerFactory.getLogger(NetConnection.class);

  /** Slices that one connection writes before others have their turn. */
  private static final int SLICES = 8;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final NetLoop loop;
  private final SocketChannel channel;
  private final RecordReader records;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Owner owner;
  private final Duration patience;
  private @Nullable SelectionKey key;

  /** Of what was read, while it holds back. */
  private ByteBuffer rest = NOTHING;

  private long receivedNanos;
  private long frameNanos;
  private long writtenNanos;
  private boolean holding;
  private boolean ended;

  /** The user of a connection. */
  interface Owner extends FrameReader.Frames {
    /** Whether no frame is read at the moment, since too much is to be answered or taken. */
    boolean holdsBack(long queuedBytes);

    /** Some time has passed. */
    void look(long nowNanos);

    /** The connection is closed; open sinks have failed. Called once. */
    void ended(Throwable cause);
  }

  /**
   * A connection that does not read yet.
   *
   * @param incoming null if nothing is sealed, as is the other
   * @param patience with a frame that has begun, and with bytes that wait to be taken
   */
  NetConnection(
      NetLoop loop,
      SocketChannel channel,
      @Nullable Sealing incoming,
      @Nullable Sealing outgoing,
      Owner owner,
      Duration patience) {
    this.loop = loop;
    this.channel = channel;
    this.records = new RecordReader(loop.memory(), incoming);
    this.reader = new FrameReader(owner);
    this.writer = new FrameWriter(loop.memory(), outgoing);
    this.owner = owner;
    this.patience = patience;
  }

  /**
   * Begins to read; takes the place of the channel's former member, if that is of the same loop.
   */
  void begin() throws IOException {
    receivedNanos = loop.now();
    key = loop.register(channel, SelectionKey.OP_READ, this);
  }

  /** Sends a frame as soon as the other end takes it. */
  void send(Frame.Kind kind, long number, ByteBuffer header, ByteBuffer body) {
    if (!ended) {
      if (writer.queuedBytes() == 0) {
        writtenNanos = loop.now();
      }
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

  /** Bytes of all frames that were to be sent so far. */
  long addedBytes() {
    return writer.addedBytes();
  }

  /** Those of them that were written, and are not read again. */
  long writtenBytes() {
    return writer.writtenBytes();
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
      ByteBuffer bytes = loop.memory().arrived();
      if (channel.read(bytes) < 0) {
        throw new EOFException("the connection has ended");
      }
      receivedNanos = loop.now();
      take(bytes.flip(), receivedNanos);
      rest = bytes.hasRemaining() ? copy(bytes) : NOTHING;
      interest();
    }
  }

  /** Takes frames until it is to hold back. */
  private void take(ByteBuffer bytes, long nowNanos) throws IOException {
    boolean more = true;
    while (more && !ended && !owner.holdsBack(writer.queuedBytes())) {
      if (!isUnfinished()) {
        frameNanos = nowNanos;
      }
      more = records.open(bytes);
      if (more) {
        reader.take(records.opened());
      }
    }
    records.keep();
  }

  private boolean isUnfinished() {
    return reader.isWithinFrame() || records.isWithinRecord();
  }

  private boolean hasRest() {
    return rest.hasRemaining() || records.hasOpened();
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  private void takeRest() {
    if (!ended) {
      try {
        take(rest, loop.now());
        interest();
      } catch (IOException | RuntimeException | Error e) {
        end(e);
      }
    }
  }

  private void write() throws IOException {
    long before = writer.writtenBytes();
    int slices = SLICES;
    while (slices > 0 && writer.write(channel)) {
      slices--;
    }
    if (writer.writtenBytes() > before) {
      writtenNanos = loop.now();
    }
    interest();
  }

  private void interest() {
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      boolean full = owner.holdsBack(writer.queuedBytes());
      if (!full && hasRest()) {
        loop.soon(this::takeRest);
      }
      holding = full || hasRest();
      registered.interestOps(
          (holding ? 0 : SelectionKey.OP_READ)
              | (writer.queuedBytes() > 0 ? SelectionKey.OP_WRITE : 0));
    }
  }

  @Override
  public void look(long nowNanos) throws IOException {
    owner.look(nowNanos);
    if (holding) {
      frameNanos = nowNanos; // what does not come is not asked for
      interest();
    } else if (isUnfinished() && nowNanos - frameNanos >= patience.toNanos()) {
      throw new IOException("a frame was not whole within " + patience);
    }
    if (writer.queuedBytes() > 0 && nowNanos - writtenNanos >= patience.toNanos()) {
      throw new IOException("nothing was taken for " + patience);
    }
  }

  @Override
  public void end(Throwable cause) {
    if (ended) {
      return;
    }
    ended = true;
    records.release();
    writer.release();
    try {
      channel.close();
      LOG.debug("A connection ended", cause);
    } catch (IOException e) {
      LOG.debug("It was not closed in order", e);
    }
    try {
      reader.end(Refusal.of(cause));
    } catch (RuntimeException | Error e) {
      DaemonThreads.report("A sink for peers", e);
    } finally {
      owner.ended(cause);
    }
  }
}
