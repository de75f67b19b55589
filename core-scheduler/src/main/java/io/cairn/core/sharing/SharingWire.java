package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.PlanAnswer.Share;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of leases and plans as bytes: one byte for the version, one for the kind, then the
 * fields in the order of the records. Each kind has a number of its own, so that no message passes
 * for one of another conversation. Bounded: a list is made room for only as its entries are read,
 * and has no more than its record takes; a text has at most 4 000 characters and is clipped to
 * that. Both ends run the same version, since one application ships both. Thread-safe.
 *
 * <p>Every {@code decode} throws {@link IllegalArgumentException} saying what is wrong with the
 * bytes, and nothing else.
 */
public final class SharingWire {
  private static final int VERSION = 1;
  private static final int LONGEST_TEXT = 4000;

  private SharingWire() {}

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private interface Parser<T> {
    T read(DataInputStream in) throws IOException;
  }

  private interface Writer<T> {
    void write(DataOutputStream out, T entry) throws IOException;
  }

  /** The bytes of a sender's request. */
  public static byte[] encode(LeaseRequest request) {
    return encoding(
        out -> {
          if (request instanceof LeaseRequest.Claim claim) {
            writeId(out, 1, claim.id());
            out.writeInt(claim.chunks());
          } else if (request instanceof LeaseRequest.Filled filled) {
            writeId(out, 2, filled.id());
            writeList(out, filled.chunks(), SharingWire::writeChunk);
          } else if (request instanceof LeaseRequest.ReleaseSome some) {
            writeId(out, 3, some.id());
            writeList(out, some.positions(), DataOutputStream::writeInt);
          } else {
            writeId(out, 4, request.id());
          }
        });
  }

  /** The request in these bytes. */
  public static LeaseRequest decodeRequest(byte[] bytes) {
    return decoding(
        bytes,
        in -> {
          int kind = in.readUnsignedByte();
          return switch (kind) {
            case 1 -> new LeaseRequest.Claim(readId(in), in.readInt());
            case 2 -> new LeaseRequest.Filled(readId(in), readList(in, 16, SharingWire::readChunk));
            case 3 -> new LeaseRequest.ReleaseSome(readId(in), readNumbers(in));
            case 4 -> new LeaseRequest.Release(readId(in));
            default -> throw new IOException("no lease request has kind " + kind);
          };
        });
  }

  /** The bytes of a receiver's answer. */
  public static byte[] encode(LeaseAnswer answer) {
    return encoding(
        out -> {
          if (answer instanceof LeaseAnswer.Granted granted) {
            writeId(out, 11, granted.id());
            writeList(out, granted.slots(), DataOutputStream::writeInt);
            out.writeLong(granted.fillNanos());
          } else if (answer instanceof LeaseAnswer.Refused refused) {
            writeId(out, 12, refused.id());
            writeText(out, refused.reason());
          } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
            writeId(out, 13, acknowledged.id());
            writeList(out, acknowledged.positions(), DataOutputStream::writeInt);
          } else if (answer instanceof LeaseAnswer.Rejected rejected) {
            writeId(out, 14, rejected.id());
            writeList(out, rejected.positions(), DataOutputStream::writeInt);
            writeText(out, rejected.reason());
          } else if (answer instanceof LeaseAnswer.Revoked revoked) {
            writeId(out, 15, revoked.id());
            writeList(out, revoked.positions(), DataOutputStream::writeInt);
            writeText(out, revoked.reason());
          } else if (answer instanceof LeaseAnswer.ReleasedSome some) {
            writeId(out, 16, some.id());
            writeList(out, some.positions(), DataOutputStream::writeInt);
          } else {
            writeId(out, 17, answer.id());
          }
        });
  }

  /** The answer in these bytes. */
  public static LeaseAnswer decodeAnswer(byte[] bytes) {
    return decoding(
        bytes,
        in -> {
          int kind = in.readUnsignedByte();
          return switch (kind) {
            case 11 -> new LeaseAnswer.Granted(readId(in), readNumbers(in), in.readLong());
            case 12 -> new LeaseAnswer.Refused(readId(in), in.readUTF());
            case 13 -> new LeaseAnswer.Acknowledged(readId(in), readNumbers(in));
            case 14 -> new LeaseAnswer.Rejected(readId(in), readNumbers(in), in.readUTF());
            case 15 -> new LeaseAnswer.Revoked(readId(in), readNumbers(in), in.readUTF());
            case 16 -> new LeaseAnswer.ReleasedSome(readId(in), readNumbers(in));
            case 17 -> new LeaseAnswer.Released(readId(in));
            default -> throw new IOException("no lease answer has kind " + kind);
          };
        });
  }

  /** The bytes of what a holder or a rank says to the desk. */
  public static byte[] encode(DeskMessage message) {
    return encoding(
        out -> {
          if (message instanceof DeskMessage.Registered registered) {
            out.writeByte(21);
            out.writeUTF(registered.site().holder());
            out.writeUTF(registered.site().node());
            out.writeInt(registered.site().device());
          } else if (message instanceof DeskMessage.Spare spare) {
            out.writeByte(22);
            out.writeUTF(spare.holder());
            out.writeInt(spare.chunks());
            out.writeLong(spare.chunkBytes());
          } else if (message instanceof DeskMessage.Report report) {
            writeReport(out, report);
          }
        });
  }

  private static void writeReport(DataOutputStream out, DeskMessage.Report report)
      throws IOException {
    out.writeByte(23);
    writeCheckpoint(out, report.checkpoint());
    out.writeInt(report.member().rank());
    out.writeInt(report.member().size());
    out.writeUTF(report.holder());
    out.writeInt(report.remainderChunks());
    out.writeInt(report.spareChunks());
    out.writeLong(report.chunkBytes());
  }

  /** What a holder or a rank says in these bytes. */
  public static DeskMessage decodeDesk(byte[] bytes) {
    return decoding(
        bytes,
        in -> {
          int kind = in.readUnsignedByte();
          return switch (kind) {
            case 21 ->
                new DeskMessage.Registered(
                    new HolderSite(in.readUTF(), in.readUTF(), in.readInt()));
            case 22 -> new DeskMessage.Spare(in.readUTF(), in.readInt(), in.readLong());
            case 23 -> readReport(in);
            default -> throw new IOException("nothing said to the desk has kind " + kind);
          };
        });
  }

  private static DeskMessage.Report readReport(DataInputStream in) throws IOException {
    CheckpointId checkpoint = readCheckpoint(in);
    return new DeskMessage.Report(
        new Member(checkpoint.group(), in.readInt(), in.readInt()),
        checkpoint.epoch(),
        checkpoint.iteration(),
        in.readUTF(),
        in.readInt(),
        in.readInt(),
        in.readLong());
  }

  /** The bytes of the desk's answer. */
  public static byte[] encode(PlanAnswer answer) {
    return encoding(
        out -> {
          out.writeByte(answer instanceof PlanAnswer.Part ? 31 : 32);
          writeCheckpoint(out, answer.checkpoint());
          out.writeInt(answer.rank());
          if (answer instanceof PlanAnswer.Part part) {
            writeList(out, part.shares(), SharingWire::writeShare);
            out.writeInt(part.hostChunks());
            writeText(out, part.reason());
          } else if (answer instanceof PlanAnswer.Refused refused) {
            writeText(out, refused.reason());
          }
        });
  }

  /** The desk's answer in these bytes. */
  public static PlanAnswer decodePlan(byte[] bytes) {
    return decoding(
        bytes,
        in -> {
          int kind = in.readUnsignedByte();
          return switch (kind) {
            case 31 ->
                new PlanAnswer.Part(
                    readCheckpoint(in),
                    in.readInt(),
                    readList(in, 6, i -> new Share(i.readUTF(), i.readInt())),
                    in.readInt(),
                    in.readUTF());
            case 32 -> new PlanAnswer.Refused(readCheckpoint(in), in.readInt(), in.readUTF());
            default -> throw new IOException("no answer of the desk has kind " + kind);
          };
        });
  }

  private static void writeShare(DataOutputStream out, Share share) throws IOException {
    out.writeUTF(share.receiver());
    out.writeInt(share.chunks());
  }

  private static void writeId(DataOutputStream out, int kind, LeaseId id) throws IOException {
    out.writeByte(kind);
    out.writeUTF(id.holder());
    out.writeLong(id.nonce());
    writeCheckpoint(out, id.checkpoint());
    out.writeInt(id.rank());
  }

  private static LeaseId readId(DataInputStream in) throws IOException {
    return new LeaseId(in.readUTF(), in.readLong(), readCheckpoint(in), in.readInt());
  }

  private static void writeCheckpoint(DataOutputStream out, CheckpointId id) throws IOException {
    out.writeUTF(id.group().job());
    out.writeUTF(id.group().group());
    out.writeLong(id.epoch());
    out.writeLong(id.iteration());
  }

  private static CheckpointId readCheckpoint(DataInputStream in) throws IOException {
    return new CheckpointId(new GroupId(in.readUTF(), in.readUTF()), in.readLong(), in.readLong());
  }

  private static void writeChunk(DataOutputStream out, FilledChunk chunk) throws IOException {
    out.writeInt(chunk.position());
    out.writeInt(chunk.chunk());
    out.writeInt(chunk.bytes());
    out.writeInt(chunk.checksum());
  }

  private static FilledChunk readChunk(DataInputStream in) throws IOException {
    return new FilledChunk(in.readInt(), in.readInt(), in.readInt(), in.readInt());
  }

  private static List<Integer> readNumbers(DataInputStream in) throws IOException {
    return readList(in, Integer.BYTES, DataInputStream::readInt);
  }

  private static <T> void writeList(DataOutputStream out, List<T> list, Writer<T> writer)
      throws IOException {
    out.writeInt(list.size());
    for (T entry : list) {
      writer.write(out, entry);
    }
  }

  /** The bytes at hand bound the list before it is made. */
  private static <T> List<T> readList(DataInputStream in, int leastBytes, Parser<T> parser)
      throws IOException {
    int entries = in.readInt();
    if (entries < 0 || entries > in.available() / leastBytes) {
      throw new IOException("a list of %d entries in %d bytes".formatted(entries, in.available()));
    }
    List<T> list = new ArrayList<>(entries);
    for (int i = 0; i < entries; i++) {
      list.add(parser.read(in));
    }
    return list;
  }

  /** Reasons are for people; {@code writeUTF} takes at most 65 535 bytes. */
  private static void writeText(DataOutputStream out, String text) throws IOException {
    out.writeUTF(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…");
  }

  private static byte[] encoding(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T decoding(byte[] bytes, Parser<T> parser) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("version " + version + ", this is " + VERSION);
      }
      T message = parser.read(in);
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return message;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no message about sharing of this version (%d bytes): %s"
              .formatted(bytes.length, e.getMessage()),
          e);
    }
  }
}
