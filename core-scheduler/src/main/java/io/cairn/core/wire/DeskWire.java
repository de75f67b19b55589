package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.io.IOException;
import java.util.List;

/** Messages to the desk and its answers, field by field. */
final class DeskWire {
  static final Kinds<DeskMessage> MESSAGES =
      new Kinds<DeskMessage>(
          "message to the desk",
          List.of(
              kind(
                  51,
                  DeskMessage.Registered.class,
                  (out, registered) -> writeSite(out, registered.site()),
                  in ->
                      new DeskMessage.Registered(
                          new HolderSite(in.readUTF(), in.readUTF(), in.readInt()))),
              kind(
                  52,
                  DeskMessage.Spare.class,
                  (out, spare) -> {
                    out.writeUTF(spare.holder());
                    out.writeInt(spare.chunks());
                    out.writeLong(spare.chunkBytes());
                  },
                  in -> new DeskMessage.Spare(in.readUTF(), in.readInt(), in.readLong())),
              kind(53, DeskMessage.Report.class, DeskWire::writeReport, DeskWire::readReport)));

  static final Kinds<PlanAnswer> ANSWERS =
      new Kinds<PlanAnswer>(
          "desk's answer",
          List.of(
              kind(61, PlanAnswer.Part.class, DeskWire::writePart, DeskWire::readPart),
              kind(
                  62,
                  PlanAnswer.Refused.class,
                  (out, refused) -> {
                    head(out, refused);
                    out.writeText(refused.reason());
                  },
                  in -> new PlanAnswer.Refused(in.readCheckpoint(), in.readInt(), in.readUTF()))));

  private DeskWire() {}

  private static void writeSite(FieldWriter out, HolderSite site) throws IOException {
    out.writeUTF(site.holder());
    out.writeUTF(site.node());
    out.writeInt(site.device());
  }

  private static void writeReport(FieldWriter out, DeskMessage.Report report) throws IOException {
    out.writeCheckpoint(report.checkpoint());
    out.writeInt(report.member().rank());
    out.writeInt(report.member().size());
    out.writeUTF(report.holder());
    out.writeInt(report.remainderChunks());
    out.writeInt(report.spareChunks());
    out.writeLong(report.chunkBytes());
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

  private static void head(FieldWriter out, PlanAnswer answer) throws IOException {
    out.writeCheckpoint(answer.checkpoint());
    out.writeInt(answer.rank());
  }

  private static void writePart(FieldWriter out, PlanAnswer.Part part) throws IOException {
    head(out, part);
    out.writeList(part.leases(), DeskWire::writePlannedLease);
    out.writeInt(part.hostChunks());
    out.writeText(part.reason());
  }

  private static PlanAnswer.Part readPart(FieldReader in) throws IOException {
    return new PlanAnswer.Part(
        in.readCheckpoint(),
        in.readInt(),
        in.readList(DeskWire::readPlannedLease),
        in.readInt(),
        in.readUTF());
  }

  private static void writePlannedLease(FieldWriter out, PlannedLease lease) throws IOException {
    out.writeUTF(lease.lender());
    out.writeInt(lease.chunks());
  }

  private static PlannedLease readPlannedLease(FieldReader in) throws IOException {
    return new PlannedLease(in.readUTF(), in.readInt());
  }
}
