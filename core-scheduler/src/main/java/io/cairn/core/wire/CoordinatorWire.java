package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.Outcome;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.protocol.Standing;
import java.io.IOException;
import java.util.List;

/** A coordinator's messages to a member, field by field. */
final class CoordinatorWire {
  /** A survey has some hundred bytes per checkpoint, and its ancestry 16 per restart. */
  static final int MOST_SURVEY_BYTES = 32 << 10;

  static final Kinds<CoordinatorMessage> MESSAGES =
      new Kinds<CoordinatorMessage>(
          "coordinator's message",
          List.of(
              kind(
                  11,
                  CoordinatorMessage.Joined.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readJoined),
              kind(
                  12,
                  CoordinatorMessage.Refused.class,
                  (out, refused) -> out.writeText(refused.reason()),
                  in -> new CoordinatorMessage.Refused(in.readUTF())),
              kind(
                  13,
                  CoordinatorMessage.Fenced.class,
                  (out, fenced) -> out.writeText(fenced.reason()),
                  in -> new CoordinatorMessage.Fenced(in.readUTF())),
              kind(
                  14,
                  CoordinatorMessage.Verify.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readVerify),
              kind(
                  15,
                  CoordinatorMessage.Resume.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readResume),
              kind(
                  16,
                  CoordinatorMessage.Settled.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readSettled),
              kind(
                  17,
                  CoordinatorMessage.CadencePlanned.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readPlanned),
              kind(
                  18,
                  CoordinatorMessage.CadenceDecided.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readDecided),
              kind(
                  19,
                  CoordinatorMessage.Rescue.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readRescue),
              kind(
                  20,
                  CoordinatorMessage.Promote.class,
                  CoordinatorWire::write,
                  CoordinatorWire::readPromote),
              kind(
                  21,
                  CoordinatorMessage.Claimed.class,
                  (out, claimed) -> out.writeLong(claimed.epoch()),
                  in -> new CoordinatorMessage.Claimed(in.readLong()))));

  /** The outcomes with which a level settles; a ticket has others, which are never sent. */
  private static final Kinds<Outcome> OUTCOMES =
      new Kinds<Outcome>(
          "outcome of a level",
          List.of(
              kind(
                  1,
                  Outcome.Sealed.class,
                  (out, outcome) -> out.writeLevel(outcome.level()),
                  in -> new Outcome.Sealed(in.readLevel())),
              kind(
                  2,
                  Outcome.Skipped.class,
                  (out, skipped) -> out.writeText(skipped.reason()),
                  in -> new Outcome.Skipped(in.readUTF())),
              kind(
                  3,
                  Outcome.Failed.class,
                  (out, failed) -> out.writeText(failed.reason()),
                  in -> new Outcome.Failed(in.readUTF())),
              kind(
                  4,
                  Outcome.NotDue.class,
                  (out, outcome) -> out.writeLevel(outcome.level()),
                  in -> new Outcome.NotDue(in.readLevel()))));

  private CoordinatorWire() {}

  private static void write(FieldWriter out, CoordinatorMessage.Joined joined) throws IOException {
    out.writeLong(joined.epoch());
    CadenceWire.write(out, joined.cadence());
    out.writeOptional(joined.atStore().filter(CoordinatorWire::fits), CoordinatorWire::writeSurvey);
    out.writeBoolean(joined.standing().claimed());
    out.writeUTF(joined.standing().by());
    out.writeLong(joined.standing().first());
    out.writeList(joined.standing().vouched(), FieldWriter::writeLong);
    out.writeOptional(joined.atNode(), CoordinatorWire::writeCopy);
  }

  private static CoordinatorMessage.Joined readJoined(FieldReader in) throws IOException {
    return new CoordinatorMessage.Joined(
        in.readLong(),
        CadenceWire.readPlan(in),
        in.readOptional(CoordinatorWire::readSurvey),
        new Standing(
            in.readBoolean(), in.readUTF(), in.readLong(), in.readList(FieldReader::readLong)),
        in.readOptional(CoordinatorWire::readCopy));
  }

  private static void writeCopy(FieldWriter out, NodeSeal.Copy copy) throws IOException {
    out.writeCheckpoint(copy.id());
    out.writeUTF(copy.node());
    out.writeLong(copy.nanosPerIteration());
  }

  private static NodeSeal.Copy readCopy(FieldReader in) throws IOException {
    return new NodeSeal.Copy(in.readCheckpoint(), in.readUTF(), in.readLong());
  }

  /** Whether a message may carry a survey; a rank without one asks STORE itself. */
  private static boolean fits(RankSurvey survey) {
    return FieldWriter.encode(0, survey, CoordinatorWire::writeSurvey).length <= MOST_SURVEY_BYTES;
  }

  private static void writeSurvey(FieldWriter out, RankSurvey survey) throws IOException {
    out.writeList(survey.holdings(), NodeWire::writeHolding);
  }

  private static RankSurvey readSurvey(FieldReader in) throws IOException {
    return new RankSurvey(in.readList(NodeWire::readHolding));
  }

  private static void write(FieldWriter out, CoordinatorMessage.Verify verify) throws IOException {
    out.writeLong(verify.epoch());
    out.writeCheckpoint(verify.id());
  }

  private static CoordinatorMessage.Verify readVerify(FieldReader in) throws IOException {
    return new CoordinatorMessage.Verify(in.readLong(), in.readCheckpoint());
  }

  private static void write(FieldWriter out, CoordinatorMessage.Resume resume) throws IOException {
    out.writeLong(resume.epoch());
    out.writeOptional(resume.id(), FieldWriter::writeCheckpoint);
    out.writeOptional(resume.parent(), CoordinatorWire::writeParent);
    out.writeAncestry(resume.ancestry());
    out.writeText(resume.refusals());
  }

  private static CoordinatorMessage.Resume readResume(FieldReader in) throws IOException {
    return new CoordinatorMessage.Resume(
        in.readLong(),
        in.readOptional(FieldReader::readCheckpoint),
        in.readOptional(CoordinatorWire::readParent),
        in.readAncestry(),
        in.readUTF());
  }

  private static void writeParent(FieldWriter out, Parent parent) throws IOException {
    out.writeCheckpoint(parent.id());
    out.writeDigest(parent.manifestDigest());
  }

  private static Parent readParent(FieldReader in) throws IOException {
    return new Parent(in.readCheckpoint(), in.readDigest());
  }

  private static void write(FieldWriter out, CoordinatorMessage.Settled settled)
      throws IOException {
    out.writeLong(settled.epoch());
    out.writeLong(settled.iteration());
    out.writeLevel(settled.level());
    OUTCOMES.write(out, settled.outcome());
  }

  private static CoordinatorMessage.Settled readSettled(FieldReader in) throws IOException {
    return new CoordinatorMessage.Settled(
        in.readLong(), in.readLong(), in.readLevel(), OUTCOMES.read(in));
  }

  private static void write(FieldWriter out, CoordinatorMessage.CadencePlanned planned)
      throws IOException {
    out.writeLong(planned.epoch());
    CadenceWire.write(out, planned.plan());
  }

  private static CoordinatorMessage.CadencePlanned readPlanned(FieldReader in) throws IOException {
    return new CoordinatorMessage.CadencePlanned(in.readLong(), CadenceWire.readPlan(in));
  }

  private static void write(FieldWriter out, CoordinatorMessage.CadenceDecided decided)
      throws IOException {
    out.writeLong(decided.epoch());
    out.writeLong(decided.version());
    out.writeBoolean(decided.adopted());
  }

  private static CoordinatorMessage.CadenceDecided readDecided(FieldReader in) throws IOException {
    return new CoordinatorMessage.CadenceDecided(in.readLong(), in.readLong(), in.readBoolean());
  }

  private static void write(FieldWriter out, CoordinatorMessage.Rescue rescue) throws IOException {
    out.writeLong(rescue.epoch());
    out.writeLong(rescue.iteration());
  }

  private static CoordinatorMessage.Rescue readRescue(FieldReader in) throws IOException {
    return new CoordinatorMessage.Rescue(in.readLong(), in.readLong());
  }

  private static void write(FieldWriter out, CoordinatorMessage.Promote promote)
      throws IOException {
    out.writeLong(promote.epoch());
    out.writeLong(promote.iteration());
    CadenceWire.write(out, promote.levels());
  }

  private static CoordinatorMessage.Promote readPromote(FieldReader in) throws IOException {
    return new CoordinatorMessage.Promote(in.readLong(), in.readLong(), CadenceWire.readLevels(in));
  }
}
