package io.cairn.adjoint.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file whose disk is full once: it takes a part of a write, and refuses the rest. */
final class FailingChannel extends FileChannel {
  private static final int NEVER = -1;

  private final FileChannel file;
  private int bytesLeft = NEVER;
  private boolean truncates = true;

  private FailingChannel(FileChannel file) {
    this.file = file;
  }

  static FailingChannel open(Path path) throws IOException {
    return new FailingChannel(
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** The next write beyond so many bytes fails. */
  void failAfter(int bytes) {
    bytesLeft = bytes;
  }

  /** The file is never made shorter from now on. */
  void failTruncate() {
    truncates = false;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (bytesLeft == NEVER) {
      return file.write(source);
    } else if (bytesLeft == 0) {
      bytesLeft = NEVER;
      throw new IOException("no space left");
    }
    int length = Math.min(bytesLeft, source.remaining());
    int written = file.write(source.slice(source.position(), length));
    source.position(source.position() + written);
    bytesLeft -= written;
    return written;
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (!truncates) {
      throw new IOException("cannot be made shorter");
    }
    file.truncate(size);
    return this;
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    file.position(newPosition);
    return this;
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return file.read(target);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return file.read(target, position);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return file.read(targets, offset, length);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return file.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
