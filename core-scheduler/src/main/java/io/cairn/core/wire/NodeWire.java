package io.cairn.core.wire;

import io.cairn.Member;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import java.io.IOException;

/** The records with which nodes serve their checkpoints to each other, field by field. */
final class NodeWire {
  private NodeWire() {}

  static void writeSite(FieldWriter out, NodeSite site) throws IOException {
    out.writeUTF(site.process());
    out.writeUTF(site.node());
    out.writeUTF(site.domain());
    out.writeUTF(site.address().host());
    out.writeInt(site.address().port());
  }

  static NodeSite readSite(FieldReader in) throws IOException {
    return new NodeSite(
        in.readUTF(), in.readUTF(), in.readUTF(), new PeerAddress(in.readUTF(), in.readInt()));
  }

  static void writeSurvey(FieldWriter out, PeerRequest.SurveyNode survey) throws IOException {
    out.writeLevel(survey.level());
    out.writeGroup(survey.member().group());
    out.writeInt(survey.member().rank());
    out.writeInt(survey.member().size());
    out.writeUTF(survey.birth());
  }

  static PeerRequest.SurveyNode readSurvey(FieldReader in) throws IOException {
    return new PeerRequest.SurveyNode(
        in.readLevel(), new Member(in.readGroup(), in.readInt(), in.readInt()), in.readUTF());
  }

  static void writeRead(FieldWriter out, PeerRequest.ReadNode read) throws IOException {
    out.writeLevel(read.level());
    out.writeCheckpoint(read.id());
    out.writeUTF(read.birth());
    out.writeUTF(read.container());
    out.writeLong(read.offset());
    out.writeInt(read.bytes());
  }

  static PeerRequest.ReadNode readRead(FieldReader in) throws IOException {
    return new PeerRequest.ReadNode(
        in.readLevel(),
        in.readCheckpoint(),
        in.readUTF(),
        in.readUTF(),
        in.readLong(),
        in.readInt());
  }

  static void writeKeep(FieldWriter out, PeerRequest.KeepCopy keep) throws IOException {
    writeSite(out, keep.owner());
    out.writeUTF(keep.birth());
    out.writeBytes(keep.manifest());
  }

  static PeerRequest.KeepCopy readKeep(FieldReader in) throws IOException {
    return new PeerRequest.KeepCopy(readSite(in), in.readUTF(), in.readBytes());
  }

  static void writeStage(FieldWriter out, PeerRequest.StageRank stage) throws IOException {
    writeSite(out, stage.owner());
    out.writeUTF(stage.birth());
    out.writeBytes(stage.manifest());
  }

  static PeerRequest.StageRank readStage(FieldReader in) throws IOException {
    return new PeerRequest.StageRank(readSite(in), in.readUTF(), in.readBytes());
  }

  static void writePart(FieldWriter out, PeerRequest.ReadPart part) throws IOException {
    out.writeCheckpoint(part.id());
    out.writeUTF(part.birth());
    out.writeInt(part.rank());
  }

  static PeerRequest.ReadPart readPart(FieldReader in) throws IOException {
    return new PeerRequest.ReadPart(in.readCheckpoint(), in.readUTF(), in.readInt());
  }

  static void writeParity(FieldWriter out, PeerRequest.KeepParity parity) throws IOException {
    out.writeCheckpoint(parity.id());
    out.writeUTF(parity.birth());
    out.writeUTF(parity.scheme());
    out.writeList(parity.members(), NodeWire::writeRankAt);
    out.writeList(parity.holders(), FieldWriter::writeUTF);
    out.writeInt(parity.index());
    out.writeLong(parity.bytes());
  }

  static PeerRequest.KeepParity readParity(FieldReader in) throws IOException {
    return new PeerRequest.KeepParity(
        in.readCheckpoint(),
        in.readUTF(),
        in.readUTF(),
        in.readList(NodeWire::readRankAt),
        in.readList(text -> text.readUTF()),
        in.readInt(),
        in.readLong());
  }

  private static void writeRankAt(FieldWriter out, PeerRequest.RankAt at) throws IOException {
    out.writeInt(at.rank());
    writeSite(out, at.site());
  }

  private static PeerRequest.RankAt readRankAt(FieldReader in) throws IOException {
    return new PeerRequest.RankAt(in.readInt(), readSite(in));
  }

  static void writeRetain(FieldWriter out, PeerRequest.RetainCopies retain) throws IOException {
    out.writeUTF(retain.birth());
    out.writeCheckpoint(retain.newest());
    out.writeInt(retain.keep());
    out.writeList(retain.sealed(), FieldWriter::writeCheckpoint);
  }

  static PeerRequest.RetainCopies readRetain(FieldReader in) throws IOException {
    return new PeerRequest.RetainCopies(
        in.readUTF(), in.readCheckpoint(), in.readInt(), in.readList(FieldReader::readCheckpoint));
  }

  static void writeDrop(FieldWriter out, PeerRequest.DropCopies drop) throws IOException {
    out.writeUTF(drop.birth());
    out.writeCheckpoint(drop.id());
  }

  static PeerRequest.DropCopies readDrop(FieldReader in) throws IOException {
    return new PeerRequest.DropCopies(in.readUTF(), in.readCheckpoint());
  }

  static void writeRelease(FieldWriter out, PeerRequest.ReleaseCopies release) throws IOException {
    out.writeGroup(release.group());
    out.writeUTF(release.birth());
    out.writeLong(release.epoch());
  }

  static PeerRequest.ReleaseCopies readRelease(FieldReader in) throws IOException {
    return new PeerRequest.ReleaseCopies(in.readGroup(), in.readUTF(), in.readLong());
  }

  static void writeHolding(FieldWriter out, RankHolding holding) throws IOException {
    out.writeCheckpoint(holding.id());
    out.writeInt(holding.size());
    out.writeOptional(holding.candidate(), MemberWire::writeCandidate);
    out.writeList(holding.containers(), FieldWriter::writeContainer);
    out.writeText(holding.problem());
    out.writeUTF(holding.proof().name());
  }

  static RankHolding readHolding(FieldReader in) throws IOException {
    return new RankHolding(
        in.readCheckpoint(),
        in.readInt(),
        in.readOptional(MemberWire::readCandidate),
        in.readList(FieldReader::readContainer),
        in.readUTF(),
        Proof.valueOf(in.readUTF()));
  }
}
