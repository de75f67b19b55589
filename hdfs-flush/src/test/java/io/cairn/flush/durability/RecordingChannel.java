package io.cairn.flush.durability;

import io.cairn.flush.durability.FileCall.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel of a file or directory that records what it is asked for. */
final class RecordingChannel extends FileChannel {
  private final FileChannel channel;
  private final FileCalls calls;
  private final String path;

  RecordingChannel(FileChannel channel, FileCalls calls, String path) {
    this.channel = channel;
    this.calls = calls;
    this.path = path;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    calls.add(Kind.WRITE, path);
    return channel.write(bytes);
  }

  @Override
  public long write(ByteBuffer[] bytes, int offset, int length) throws IOException {
    calls.add(Kind.WRITE, path);
    return channel.write(bytes, offset, length);
  }

  @Override
  public int write(ByteBuffer bytes, long position) throws IOException {
    calls.add(Kind.WRITE, path);
    return channel.write(bytes, position);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    calls.add(Kind.WRITE, path);
    return channel.transferFrom(source, position, count);
  }

  @Override
  public void force(boolean metadata) throws IOException {
    channel.force(metadata);
    calls.add(Kind.FORCE, path);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException("writes into a mapping are not recorded");
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    calls.add(Kind.WRITE, path);
    channel.truncate(size);
    return this;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    return channel.read(into, offset, length);
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    return channel.read(into, position);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return channel.transferTo(position, count, target);
  }

  @Override
  public long position() throws IOException {
    return channel.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    channel.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return channel.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return channel.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    channel.close();
  }
}
