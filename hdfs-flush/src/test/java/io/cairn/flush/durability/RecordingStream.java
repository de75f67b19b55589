package io.cairn.flush.durability;

import io.cairn.flush.durability.FileCall.Kind;
import java.io.FilterOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;

/** A stream of a Hadoop file system that records what it is asked for. */
final class RecordingStream extends FilterOutputStream implements Syncable, StreamCapabilities {
  private final FSDataOutputStream stream;
  private final FileCalls calls;
  private final String path;

  RecordingStream(FSDataOutputStream stream, FileCalls calls, String path) {
    super(stream);
    this.stream = stream;
    this.calls = calls;
    this.path = path;
    calls.add(Kind.CREATE, path);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    calls.add(Kind.WRITE, path);
    stream.write(bytes, offset, length);
  }

  @Override
  public void write(int single) throws IOException {
    calls.add(Kind.WRITE, path);
    stream.write(single);
  }

  @Override
  public void hsync() throws IOException {
    stream.hsync();
    calls.add(Kind.FORCE, path);
  }

  @Override
  public void hflush() throws IOException {
    stream.hflush();
    calls.add(Kind.FLUSH, path);
  }

  @Override
  public boolean hasCapability(String capability) {
    return stream.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    calls.add(Kind.CLOSE, path);
    stream.close();
  }
}
