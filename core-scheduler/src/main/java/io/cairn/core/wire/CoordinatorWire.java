package io.cairn.core.wire;

import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.session.Outcome;
import java.io.IOException;

/**
 * What a coordinator says, field by field; version and refusal are {@link Wire}'s. Stateless, so
 * thread-safe.
 */
final class CoordinatorWire {
  private CoordinatorWire() {}

  static void write(FieldWriter out, CoordinatorMessage message) throws IOException {
    if (message instanceof CoordinatorMessage.Joined joined) {
      out.writeByte(1);
      out.writeLong(joined.epoch());
      CadenceWire.write(out, joined.cadence());
    } else if (message instanceof CoordinatorMessage.Refused refused) {
      out.writeByte(2);
      out.writeText(refused.reason(), Wire.KEPT_OF_REASON);
    } else if (message instanceof CoordinatorMessage.Fenced fenced) {
      out.writeByte(3);
      out.writeText(fenced.reason(), Wire.KEPT_OF_REASON);
    } else if (message instanceof CoordinatorMessage.Verify verify) {
      out.writeByte(4);
      out.writeLong(verify.epoch());
      out.writeCheckpoint(verify.id());
    } else if (message instanceof CoordinatorMessage.Resume resume) {
      writeResume(out, resume);
    } else if (message instanceof CoordinatorMessage.Settled settled) {
      out.writeByte(6);
      out.writeLong(settled.epoch());
      out.writeLong(settled.iteration());
      out.writeLevel(settled.level());
      writeOutcome(out, settled.outcome());
    } else if (message instanceof CoordinatorMessage.CadencePlanned planned) {
      out.writeByte(7);
      out.writeLong(planned.epoch());
      CadenceWire.write(out, planned.plan());
    } else if (message instanceof CoordinatorMessage.CadenceDecided decided) {
      out.writeByte(8);
      out.writeLong(decided.epoch());
      out.writeLong(decided.version());
      out.writeBoolean(decided.adopted());
    } else if (message instanceof CoordinatorMessage.Rescue rescue) {
      out.writeByte(9);
      out.writeLong(rescue.epoch());
      out.writeLong(rescue.iteration());
    }
  }

  static CoordinatorMessage read(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new CoordinatorMessage.Joined(in.readLong(), CadenceWire.readPlan(in));
      case 2 -> new CoordinatorMessage.Refused(in.readUTF());
      case 3 -> new CoordinatorMessage.Fenced(in.readUTF());
      case 4 -> new CoordinatorMessage.Verify(in.readLong(), in.readCheckpoint());
      case 5 ->
          new CoordinatorMessage.Resume(
              in.readLong(),
              in.readOptional(FieldReader::readCheckpoint),
              in.readOptional(CoordinatorWire::readParent),
              in.readAncestry(),
              in.readUTF());
      case 6 ->
          new CoordinatorMessage.Settled(
              in.readLong(), in.readLong(), in.readLevel(), readOutcome(in));
      case 7 -> new CoordinatorMessage.CadencePlanned(in.readLong(), CadenceWire.readPlan(in));
      case 8 ->
          new CoordinatorMessage.CadenceDecided(in.readLong(), in.readLong(), in.readBoolean());
      case 9 -> new CoordinatorMessage.Rescue(in.readLong(), in.readLong());
      default -> throw new IOException("unknown kind " + kind);
    };
  }

  private static void writeResume(FieldWriter out, CoordinatorMessage.Resume resume)
      throws IOException {
    out.writeByte(5);
    out.writeLong(resume.epoch());
    out.writeOptional(resume.id(), FieldWriter::writeCheckpoint);
    out.writeOptional(resume.parent(), CoordinatorWire::writeParent);
    out.writeAncestry(resume.ancestry());
    out.writeText(resume.refusals(), Wire.KEPT_OF_REASON);
  }

  private static void writeParent(FieldWriter out, Parent parent) throws IOException {
    out.writeCheckpoint(parent.id());
    out.writeDigest(parent.manifestDigest());
  }

  private static Parent readParent(FieldReader in) throws IOException {
    return new Parent(in.readCheckpoint(), in.readDigest());
  }

  private static void writeOutcome(FieldWriter out, Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Sealed sealed) {
      out.writeByte(1);
      out.writeLevel(sealed.level());
    } else if (outcome instanceof Outcome.Skipped skipped) {
      out.writeByte(2);
      out.writeText(skipped.reason(), Wire.KEPT_OF_REASON);
    } else if (outcome instanceof Outcome.Failed failed) {
      out.writeByte(3);
      out.writeText(failed.reason(), Wire.KEPT_OF_REASON);
    } else {
      throw new IllegalArgumentException("a level does not settle as " + outcome);
    }
  }

  private static Outcome readOutcome(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new Outcome.Sealed(in.readLevel());
      case 2 -> new Outcome.Skipped(in.readUTF());
      case 3 -> new Outcome.Failed(in.readUTF());
      default -> throw new IOException("unknown outcome " + kind);
    };
  }
}
