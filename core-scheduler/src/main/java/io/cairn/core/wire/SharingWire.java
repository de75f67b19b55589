package io.cairn.core.wire;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.io.IOException;
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
  private static final String REFUSAL = "no message about sharing of this version";

  /** Characters that are kept of a reason that is clipped; with the ellipsis they are 4 000. */
  private static final int KEPT_OF_REASON = 3999;

  private SharingWire() {}

  /** The bytes of a sender's request. */
  public static byte[] encode(LeaseRequest request) {
    return FieldWriter.encode(VERSION, request, SharingWire::writeRequest);
  }

  private static void writeRequest(FieldWriter out, LeaseRequest request) throws IOException {
    if (request instanceof LeaseRequest.Acquire claim) {
      writeId(out, 1, claim.id());
      out.writeInt(claim.chunks());
    } else if (request instanceof LeaseRequest.Filled filled) {
      writeId(out, 2, filled.id());
      out.writeList(filled.chunks(), SharingWire::writeChunk);
    } else if (request instanceof LeaseRequest.ReleaseSome some) {
      writeId(out, 3, some.id());
      out.writeList(some.positions(), FieldWriter::writeInt);
    } else {
      writeId(out, 4, request.id());
    }
  }

  /** The request in these bytes. */
  public static LeaseRequest decodeRequest(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, SharingWire::readRequest);
  }

  private static LeaseRequest readRequest(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new LeaseRequest.Acquire(readId(in), in.readInt());
      case 2 -> new LeaseRequest.Filled(readId(in), in.readListWithin(16, SharingWire::readChunk));
      case 3 -> new LeaseRequest.ReleaseSome(readId(in), readNumbers(in));
      case 4 -> new LeaseRequest.Release(readId(in));
      default -> throw new IOException("no lease request has kind " + kind);
    };
  }

  /** The bytes of a receiver's answer. */
  public static byte[] encode(LeaseAnswer answer) {
    return FieldWriter.encode(VERSION, answer, SharingWire::writeAnswer);
  }

  private static void writeAnswer(FieldWriter out, LeaseAnswer answer) throws IOException {
    if (answer instanceof LeaseAnswer.Granted granted) {
      writeId(out, 11, granted.id());
      out.writeList(granted.slots(), FieldWriter::writeInt);
      out.writeLong(granted.fillNanos());
    } else if (answer instanceof LeaseAnswer.Refused refused) {
      writeId(out, 12, refused.id());
      out.writeText(refused.reason(), KEPT_OF_REASON);
    } else if (answer instanceof LeaseAnswer.Acknowledged acknowledged) {
      writeId(out, 13, acknowledged.id());
      out.writeList(acknowledged.positions(), FieldWriter::writeInt);
    } else if (answer instanceof LeaseAnswer.Rejected rejected) {
      writeId(out, 14, rejected.id());
      out.writeList(rejected.positions(), FieldWriter::writeInt);
      out.writeText(rejected.reason(), KEPT_OF_REASON);
    } else if (answer instanceof LeaseAnswer.Revoked revoked) {
      writeId(out, 15, revoked.id());
      out.writeList(revoked.positions(), FieldWriter::writeInt);
      out.writeText(revoked.reason(), KEPT_OF_REASON);
    } else if (answer instanceof LeaseAnswer.ReleasedSome some) {
      writeId(out, 16, some.id());
      out.writeList(some.positions(), FieldWriter::writeInt);
    } else {
      writeId(out, 17, answer.id());
    }
  }

  /** The answer in these bytes. */
  public static LeaseAnswer decodeAnswer(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, SharingWire::readAnswer);
  }

  private static LeaseAnswer readAnswer(FieldReader in) throws IOException {
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
  }

  /** The bytes of what a holder or a rank says to the desk. */
  public static byte[] encode(DeskMessage message) {
    return FieldWriter.encode(VERSION, message, SharingWire::writeDesk);
  }

  private static void writeDesk(FieldWriter out, DeskMessage message) throws IOException {
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
  }

  private static void writeReport(FieldWriter out, DeskMessage.Report report) throws IOException {
    out.writeByte(23);
    out.writeCheckpoint(report.checkpoint());
    out.writeInt(report.member().rank());
    out.writeInt(report.member().size());
    out.writeUTF(report.holder());
    out.writeInt(report.remainderChunks());
    out.writeInt(report.spareChunks());
    out.writeLong(report.chunkBytes());
  }

  /** What a holder or a rank says in these bytes. */
  public static DeskMessage decodeDesk(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, SharingWire::readDesk);
  }

  private static DeskMessage readDesk(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 21 ->
          new DeskMessage.Registered(new HolderSite(in.readUTF(), in.readUTF(), in.readInt()));
      case 22 -> new DeskMessage.Spare(in.readUTF(), in.readInt(), in.readLong());
      case 23 -> readReport(in);
      default -> throw new IOException("nothing said to the desk has kind " + kind);
    };
  }

  private static DeskMessage.Report readReport(FieldReader in) throws IOException {
    CheckpointId checkpoint = in.readCheckpoint();
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
    return FieldWriter.encode(VERSION, answer, SharingWire::writePlan);
  }

  private static void writePlan(FieldWriter out, PlanAnswer answer) throws IOException {
    out.writeByte(answer instanceof PlanAnswer.Part ? 31 : 32);
    out.writeCheckpoint(answer.checkpoint());
    out.writeInt(answer.rank());
    if (answer instanceof PlanAnswer.Part part) {
      out.writeList(part.leases(), SharingWire::writePlannedLease);
      out.writeInt(part.hostChunks());
      out.writeText(part.reason(), KEPT_OF_REASON);
    } else if (answer instanceof PlanAnswer.Refused refused) {
      out.writeText(refused.reason(), KEPT_OF_REASON);
    }
  }

  /** The desk's answer in these bytes. */
  public static PlanAnswer decodePlan(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, SharingWire::readPlan);
  }

  private static PlanAnswer readPlan(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 31 ->
          new PlanAnswer.Part(
              in.readCheckpoint(),
              in.readInt(),
              in.readListWithin(6, SharingWire::readPlannedLease),
              in.readInt(),
              in.readUTF());
      case 32 -> new PlanAnswer.Refused(in.readCheckpoint(), in.readInt(), in.readUTF());
      default -> throw new IOException("no answer of the desk has kind " + kind);
    };
  }

  private static void writePlannedLease(FieldWriter out, PlannedLease lease) throws IOException {
    out.writeUTF(lease.lender());
    out.writeInt(lease.chunks());
  }

  private static PlannedLease readPlannedLease(FieldReader in) throws IOException {
    return new PlannedLease(in.readUTF(), in.readInt());
  }

  private static void writeId(FieldWriter out, int kind, LeaseId id) throws IOException {
    out.writeByte(kind);
    out.writeUTF(id.holder());
    out.writeLong(id.nonce());
    out.writeCheckpoint(id.checkpoint());
    out.writeInt(id.rank());
  }

  private static LeaseId readId(FieldReader in) throws IOException {
    return new LeaseId(in.readUTF(), in.readLong(), in.readCheckpoint(), in.readInt());
  }

  private static void writeChunk(FieldWriter out, FilledChunk chunk) throws IOException {
    out.writeInt(chunk.position());
    out.writeInt(chunk.chunk());
    out.writeInt(chunk.bytes());
    out.writeInt(chunk.checksum());
  }

  private static FilledChunk readChunk(FieldReader in) throws IOException {
    return new FilledChunk(in.readInt(), in.readInt(), in.readInt(), in.readInt());
  }

  private static List<Integer> readNumbers(FieldReader in) throws IOException {
    return in.readListWithin(Integer.BYTES, FieldReader::readInt);
  }
}
