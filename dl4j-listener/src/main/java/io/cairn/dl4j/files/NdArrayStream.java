package io.cairn.dl4j.files;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;
import org.bytedeco.javacpp.BytePointer;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A vector as {@code Nd4j.write} writes it: two buffers, each with the name of its mode, its length
 * and the name of its type before its elements, all big-endian. The first has ND4J's description of
 * the shape. Not thread-safe.
 */
final class NdArrayStream {
  /** Numbers of ND4J's description of a shape of 32 dimensions. */
  private static final int MOST_SHAPE_NUMBERS = 2 * 32 + 4;

  private static final int PIECE_BYTES = 1 << 16;

  private final DataInputStream in;
  private final String where;
  private final long length;
  private final String type;

  private NdArrayStream(DataInputStream in, String where, long length, String type) {
    this.in = in;
    this.where = where;
    this.length = length;
    this.type = type;
  }

  /**
   * Reads all that precedes the elements.
   *
   * @param where file and entry, for messages
   * @throws IOException if it has another form, or is no vector
   */
  static NdArrayStream open(DataInputStream in, String where) throws IOException {
    try {
      long elements = elements(in, where);
      in.readUTF();
      long length = in.readLong();
      String type = in.readUTF();
      if (length != elements) {
        throw new IOException(
            where + ": a buffer of " + length + " elements for a shape of " + elements);
      }
      return new NdArrayStream(in, where, length, type);
    } catch (EOFException e) {
      throw new IOException(where + " ends before its elements", e);
    } catch (UTFDataFormatException e) {
      throw new IOException(where + " was not written by Nd4j.write: " + e.getMessage(), e);
    }
  }

  private static long elements(DataInputStream in, String where) throws IOException {
    in.readUTF();
    long numbers = in.readLong();
    String type = in.readUTF();
    if (numbers < 4 || numbers > MOST_SHAPE_NUMBERS || !type.equals("LONG")) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: the shape is described by %d numbers of type %s",
              where,
              numbers,
              type));
    }
    long[] shape = new long[(int) numbers];
    for (int i = 0; i < numbers; i++) {
      shape[i] = in.readLong();
    }
    return vectorLength(shape, where);
  }

  /** A vector lies in memory in the same order whatever its strides are. */
  private static long vectorLength(long[] shape, String where) throws IOException {
    long longest = 1;
    for (int dimension = 1; dimension <= shape[0] && dimension < shape.length; dimension++) {
      if (shape[dimension] < 0 || (shape[dimension] > 1 && longest > 1)) {
        throw new IOException(where + " is no vector: a network's memory is flat");
      }
      longest = shape[dimension] == 1 ? longest : shape[dimension];
    }
    return longest;
  }

  /** The number of elements. */
  long length() {
    return length;
  }

  /**
   * Reads the elements.
   *
   * @param flat without gaps
   * @throws IOException if the array has another length or type, or elements are missing
   */
  void readInto(INDArray flat) throws IOException {
    ElementType wanted = ElementType.of(flat.dataType());
    if (length != flat.length() || !type.equals(wanted.type().name())) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has %d elements of type %s, and the network needs %d of type %s",
              where,
              length,
              type,
              flat.length(),
              wanted.type()));
    }
    Nd4j.getAffinityManager().ensureLocation(flat, Location.HOST); // a GPU may have newer bytes
    BytePointer memory = new BytePointer(flat.data().addressPointer());
    memory.capacity(length * wanted.bytes());
    ReadableByteChannel elements = Channels.newChannel(in);
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (long from = 0; from < memory.capacity(); from += PIECE_BYTES) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, memory.capacity() - from));
      while (piece.hasRemaining() && elements.read(piece) >= 0) {}
      if (piece.hasRemaining()) {
        throw new IOException(where + " ends before its last element");
      }
      memory.position(from).limit(from + piece.flip().remaining());
      put(piece, memory.asByteBuffer().order(ByteOrder.nativeOrder()), wanted.bytes());
    }
    Nd4j.getAffinityManager().tagLocation(flat, Location.HOST); // a GPU has older bytes now
  }

  private static void put(ByteBuffer from, ByteBuffer into, int elementBytes) {
    switch (elementBytes) {
      case Short.BYTES -> into.asShortBuffer().put(from.asShortBuffer());
      case Integer.BYTES -> into.asIntBuffer().put(from.asIntBuffer());
      case Long.BYTES -> into.asLongBuffer().put(from.asLongBuffer());
      default -> throw new IllegalArgumentException("elements of " + elementBytes + " bytes");
    }
  }
}
