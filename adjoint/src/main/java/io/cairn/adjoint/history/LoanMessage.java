package io.cairn.adjoint.history;

import io.cairn.cache.memory.ExportedMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A message between processes whose histories lend each other memory. As bytes: one for the
 * version, one for the kind, then the fields in the order of the records, big-endian. Both ends run
 * the same version, since one application ships both. Immutable.
 */
sealed interface LoanMessage {
  /** The most chunks of one loan. */
  int MOST_CHUNKS = 1 << 20;

  int VERSION = 1;

  /**
   * The expectation of a history, sent to every other process, and its answer.
   *
   * @param device of the sender
   * @param life of the sender, another one for each start
   * @param number of the report, which rises; 0 before the first
   * @param open whether no plan was made of it yet
   * @param chunkBytes length of its chunks; 0 before the first
   * @param chunks to spare; below zero, missing ones
   */
  record Report(int device, long life, long number, boolean open, int chunkBytes, long chunks)
      implements LoanMessage {}

  /**
   * Asks for chunks; answered by {@link Lent}.
   *
   * @param device of the sender
   * @param chunkBytes length of a chunk
   * @param most chunks, at least 1
   */
  record Borrow(int device, int chunkBytes, int most) implements LoanMessage {}

  /**
   * Lends chunks as long as the connection lasts; none ends it.
   *
   * @param slabs handles by which the borrower opens the memory
   * @param spans the chunks, by the places of their slabs in the list
   */
  record Lent(List<ExportedMemory> slabs, List<LentSpan> spans) implements LoanMessage {
    /** Copies the lists. */
    public Lent {
      slabs = List.copyOf(slabs);
      spans = List.copyOf(spans);
    }

    /** The number of chunks. */
    long chunks() {
      return spans.stream().mapToLong(LentSpan::chunks).sum();
    }

    private void write(DataOutputStream out) throws IOException {
      out.writeInt(slabs.size());
      for (ExportedMemory slab : slabs) {
        byte[] handle = slab.encode();
        out.writeInt(handle.length);
        out.write(handle);
      }
      out.writeInt(spans.size());
      for (LentSpan span : spans) {
        out.writeInt(span.slab());
        out.writeInt(span.first());
        out.writeInt(span.chunks());
      }
    }

    private static Lent read(DataInputStream in) throws IOException {
      List<ExportedMemory> slabs = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
          throw new IOException(String.format(Locale.ROOT, "a handle of %d bytes", length));
        }
        slabs.add(ExportedMemory.decode(in.readNBytes(length)));
      }
      List<LentSpan> spans = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        LentSpan span = new LentSpan(in.readInt(), in.readInt(), in.readInt());
        if (span.slab() >= slabs.size()) {
          throw new IOException(String.format(Locale.ROOT, "%s, of %d slabs", span, slabs.size()));
        }
        spans.add(span);
      }
      return new Lent(slabs, spans);
    }
  }

  /** The lender needs its memory: the borrower ends the connection, or answers {@link Kept}. */
  record Recall() implements LoanMessage {}

  /** The borrower has no other room for its states; they stay. */
  record Kept() implements LoanMessage {}

  /** The message as bytes. */
  default byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      write(out);
    } catch (IOException e) {
      throw new AssertionError("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private void write(DataOutputStream out) throws IOException {
    if (this instanceof Report report) {
      out.writeByte(1);
      out.writeInt(report.device());
      out.writeLong(report.life());
      out.writeLong(report.number());
      out.writeBoolean(report.open());
      out.writeInt(report.chunkBytes());
      out.writeLong(report.chunks());
    } else if (this instanceof Borrow borrow) {
      out.writeByte(2);
      out.writeInt(borrow.device());
      out.writeInt(borrow.chunkBytes());
      out.writeInt(borrow.most());
    } else if (this instanceof Lent lent) {
      out.writeByte(3);
      lent.write(out);
    } else {
      out.writeByte(this instanceof Recall ? 4 : 5);
    }
  }

  /**
   * The message in some bytes, all of them.
   *
   * @throws IOException with the reason, if they are none
   */
  static LoanMessage decode(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException(
            String.format(Locale.ROOT, "version %d, this is %d", version, VERSION));
      }
      LoanMessage message = read(in);
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes follow it");
      }
      return message;
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "a message of %d bytes about memory of other processes: %s",
              bytes.length,
              e.getMessage()),
          e);
    }
  }

  private static LoanMessage read(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 ->
          new Report(
              in.readInt(),
              in.readLong(),
              in.readLong(),
              in.readBoolean(),
              in.readInt(),
              in.readLong());
      case 2 -> new Borrow(in.readInt(), in.readInt(), in.readInt());
      case 3 -> Lent.read(in);
      case 4 -> new Recall();
      case 5 -> new Kept();
      default -> throw new IOException("no message has kind " + kind);
    };
  }
}
