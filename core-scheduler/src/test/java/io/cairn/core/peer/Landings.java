package io.cairn.core.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.CRC32C;

/**
 * A service that takes every push into memory of its own and reports, by header, the chunks that
 * arrived; it answers a question with its bytes reversed. Tests override what is to go wrong.
 */
public class Landings implements PeerService {
  private final Map<String, Long> checksums = new ConcurrentHashMap<>();
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> failed = new LinkedBlockingQueue<>();

  /** Nothing has landed. */
  public Landings() {}

  /** CRC32C by header of all that landed whole. */
  public final Map<String, Long> checksums() {
    return checksums;
  }

  /** Headers in the order in which their pushes began. */
  public final BlockingQueue<String> begun() {
    return begun;
  }

  /** A reason per sink that was failed. */
  public final BlockingQueue<String> failed() {
    return failed;
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    return CompletableFuture.completedFuture(reversed(request));
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    String name = new String(header, StandardCharsets.UTF_8);
    begun.add(name);
    return new Landing(name, bytes);
  }

  /** The answer to a question. */
  public static byte[] reversed(byte[] request) {
    byte[] reversed = new byte[request.length];
    for (int i = 0; i < request.length; i++) {
      reversed[i] = request[request.length - 1 - i];
    }
    return reversed;
  }

  /** The checksum of what is between position and limit. */
  public static long checksum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.duplicate());
    return sum.getValue();
  }

  /** Puts slices where the body is to lie, and sums that place up at the end. */
  public class Landing implements PeerSink {
    private final String name;
    private final ByteBuffer place;

    /** A place for {@code bytes}. */
    protected Landing(String name, long bytes) {
      this.name = name;
      this.place = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
    }

    @Override
    public void data(ByteBuffer slice) throws IOException {
      place.put(slice);
    }

    @Override
    public void complete() throws IOException {
      if (place.hasRemaining()) {
        throw new IOException(name + " is complete without its last bytes: " + place.remaining());
      }
      checksums.put(name, checksum(place.flip()));
    }

    @Override
    public void failed(String reason) {
      failed.add(reason);
    }
  }
}
