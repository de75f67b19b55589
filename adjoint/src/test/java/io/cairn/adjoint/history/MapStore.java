package io.cairn.adjoint.history;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** A store in a map, whose calls fail on request. An object that was not committed keeps a part. */
final class MapStore implements StateStore {
  final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();

  /** Of calls such as "create states-0000000003". */
  volatile Predicate<String> fails = call -> false;

  volatile Duration patience = Duration.ZERO;

  /** Whether an object is there from its end on alone, as in an object store. */
  volatile boolean createsAtCommit;

  private void call(String call) throws IOException {
    if (fails.test(call)) {
      throw new IOException("planted: " + call);
    }
  }

  @Override
  public String describe() {
    return "a map";
  }

  @Override
  public Duration patience() {
    return patience;
  }

  @Override
  public Output create(String name) throws IOException {
    call("create " + name);
    boolean exists =
        createsAtCommit
            ? objects.containsKey(name)
            : objects.putIfAbsent(name, new byte[0]) != null;
    if (exists) {
      throw new FileAlreadyExistsException(name);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableByteChannel channel = Channels.newChannel(bytes);
    return new Output() {
      @Override
      public void write(ByteBuffer more) throws IOException {
        call("write " + name);
        channel.write(more);
      }

      @Override
      public void commit() throws IOException {
        call("commit " + name);
        if (!createsAtCommit) {
          objects.put(name, bytes.toByteArray());
        } else if (objects.putIfAbsent(name, bytes.toByteArray()) != null) {
          throw new FileAlreadyExistsException(name);
        }
      }

      @Override
      public void close() throws IOException {
        if (createsAtCommit) {
          if (objects.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
          }
          return;
        }
        byte[] all = bytes.toByteArray();
        objects.replace(name, Arrays.copyOf(all, all.length / 2));
      }
    };
  }

  @Override
  public Input open(String name) throws IOException {
    call("open " + name);
    byte[] bytes = objects.get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return new Input() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void readFully(long position, ByteBuffer into) throws IOException {
        call("read " + name);
        if (position + into.remaining() > bytes.length) {
          throw new EOFException(name + " ends at " + bytes.length);
        }
        into.put(bytes, (int) position, into.remaining());
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public List<String> names() throws IOException {
    call("names");
    return List.copyOf(objects.keySet());
  }

  @Override
  public void delete(String name) throws IOException {
    call("delete " + name);
    objects.remove(name);
  }
}
