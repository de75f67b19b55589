package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.PlanAnswer.Share;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

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
  private SharingWire() {}

  /** The bytes of a sender's request. */
  public static byte[] encode(LeaseRequest request) {
    return WireFields.encoding(
        out -> {
          if (request instanceof LeaseRequest.Claim claim) {
            WireFields.writeId(out, 1, claim.id());
            out.writeInt(claim.chunks());
          } else if (request instanceof LeaseRequest.Filled filled) {
            WireFields.writeId(out, 2, filled.id());
            WireFields.writeList(out, filled.chunks(), WireFields::writeChunk);
          } else if (request instanceof LeaseRequest.ReleaseSome some) {
            WireFields.writeId(out, 3, some.id());
            WireFields.writeList(out, some.positions(), DataOutputStream::writeInt);
          } else {
            WireFields.writeId(out, 4, request.id());
          }
        });
  }

  /** The request in these bytes. */
  public static LeaseRequest decodeRequest(byte[] bytes) {
    return WireFields.decoding(bytes, SharingWire::readRequest);
  }

  private static LeaseRequest readRequest(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new LeaseRequest.Claim(WireFields.readId(in), in.readInt());
      case 2 ->
          new LeaseRequest.Filled(
              WireFields.readId(in), WireFields.readList(in, 16, WireFields::readChunk));
      case 3 -> new LeaseRequest.ReleaseSome(WireFields.readId(in), WireFields.readNumbers(in));
      case 4 -> new LeaseRequest.Release(WireFields.readId(in));
      default -> throw new IOException("no lease request has kind " + kind);
    };
  }

  /** The bytes of a receiver's answer. */
  public static byte[] encode(LeaseAnswer answer) {
    return WireFields.encoding(
        out -> {
          if (answer instanceof LeaseAnswer.Granted granted) {
            WireFields.writeId(out, 11, granted.id());
            WireFields.writeList(out, granted.slots(), DataOutputStream::writeInt);
            out.writeLong(granted.fillNanos());
          } else if (answer instanceof LeaseAnswer.Refused refused) {
            WireFields.writeId(out, 12, refused.id());
            WireFields.writeText(out, refused.reason());
          } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
            WireFields.writeId(out, 13, acknowledged.id());
            WireFields.writeList(out, acknowledged.positions(), DataOutputStream::writeInt);
          } else if (answer instanceof LeaseAnswer.Rejected rejected) {
            WireFields.writeId(out, 14, rejected.id());
            WireFields.writeList(out, rejected.positions(), DataOutputStream::writeInt);
            WireFields.writeText(out, rejected.reason());
          } else if (answer instanceof LeaseAnswer.Revoked revoked) {
            WireFields.writeId(out, 15, revoked.id());
            WireFields.writeList(out, revoked.positions(), DataOutputStream::writeInt);
            WireFields.writeText(out, revoked.reason());
          } else if (answer instanceof LeaseAnswer.ReleasedSome some) {
            WireFields.writeId(out, 16, some.id());
            WireFields.writeList(out, some.positions(), DataOutputStream::writeInt);
          } else {
            WireFields.writeId(out, 17, answer.id());
          }
        });
  }

  /** The answer in these bytes. */
  public static LeaseAnswer decodeAnswer(byte[] bytes) {
    return WireFields.decoding(bytes, SharingWire::readAnswer);
  }

  private static LeaseAnswer readAnswer(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 11 ->
          new LeaseAnswer.Granted(WireFields.readId(in), WireFields.readNumbers(in), in.readLong());
      case 12 -> new LeaseAnswer.Refused(WireFields.readId(in), in.readUTF());
      case 13 -> new LeaseAnswer.Acknowledged(WireFields.readId(in), WireFields.readNumbers(in));
      case 14 ->
          new LeaseAnswer.Rejected(WireFields.readId(in), WireFields.readNumbers(in), in.readUTF());
      case 15 ->
          new LeaseAnswer.Revoked(WireFields.readId(in), WireFields.readNumbers(in), in.readUTF());
      case 16 -> new LeaseAnswer.ReleasedSome(WireFields.readId(in), WireFields.readNumbers(in));
      case 17 -> new LeaseAnswer.Released(WireFields.readId(in));
      default -> throw new IOException("no lease answer has kind " + kind);
    };
  }

  /** The bytes of what a holder or a rank says to the desk. */
  public static byte[] encode(DeskMessage message) {
    return WireFields.encoding(
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
    WireFields.writeCheckpoint(out, report.checkpoint());
    out.writeInt(report.member().rank());
    out.writeInt(report.member().size());
    out.writeUTF(report.holder());
    out.writeInt(report.remainderChunks());
    out.writeInt(report.spareChunks());
    out.writeLong(report.chunkBytes());
  }

  /** What a holder or a rank says in these bytes. */
  public static DeskMessage decodeDesk(byte[] bytes) {
    return WireFields.decoding(bytes, SharingWire::readDesk);
  }

  private static DeskMessage readDesk(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 21 ->
          new DeskMessage.Registered(new HolderSite(in.readUTF(), in.readUTF(), in.readInt()));
      case 22 -> new DeskMessage.Spare(in.readUTF(), in.readInt(), in.readLong());
      case 23 -> readReport(in);
      default -> throw new IOException("nothing said to the desk has kind " + kind);
    };
  }

  private static DeskMessage.Report readReport(DataInputStream in) throws IOException {
    CheckpointId checkpoint = WireFields.readCheckpoint(in);
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
    return WireFields.encoding(
        out -> {
          out.writeByte(answer instanceof PlanAnswer.Part ? 31 : 32);
          WireFields.writeCheckpoint(out, answer.checkpoint());
          out.writeInt(answer.rank());
          if (answer instanceof PlanAnswer.Part part) {
            WireFields.writeList(out, part.shares(), SharingWire::writeShare);
            out.writeInt(part.hostChunks());
            WireFields.writeText(out, part.reason());
          } else if (answer instanceof PlanAnswer.Refused refused) {
            WireFields.writeText(out, refused.reason());
          }
        });
  }

  /** The desk's answer in these bytes. */
  public static PlanAnswer decodePlan(byte[] bytes) {
    return WireFields.decoding(bytes, SharingWire::readPlan);
  }

  private static PlanAnswer readPlan(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 31 ->
          new PlanAnswer.Part(
              WireFields.readCheckpoint(in),
              in.readInt(),
              WireFields.readList(in, 6, SharingWire::readShare),
              in.readInt(),
              in.readUTF());
      case 32 -> new PlanAnswer.Refused(WireFields.readCheckpoint(in), in.readInt(), in.readUTF());
      default -> throw new IOException("no answer of the desk has kind " + kind);
    };
  }

  private static void writeShare(DataOutputStream out, Share share) throws IOException {
    out.writeUTF(share.receiver());
    out.writeInt(share.chunks());
  }

  private static Share readShare(DataInputStream in) throws IOException {
    return new Share(in.readUTF(), in.readInt());
  }
}
