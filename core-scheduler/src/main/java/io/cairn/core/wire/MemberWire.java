package io.cairn.core.wire;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.MemberMessage;
import java.io.IOException;
import java.util.Optional;

/**
 * What a member says, field by field; version and refusal are {@link Wire}'s. Stateless, so
 * thread-safe.
 */
final class MemberWire {
  private MemberWire() {}

  static void write(FieldWriter out, MemberMessage message) throws IOException {
    if (message instanceof MemberMessage.Join join) {
      head(out, 1, join.rank());
      out.writeInt(join.size());
      out.writeUTF(join.incarnation());
    } else if (message instanceof MemberMessage.Offer offer) {
      head(out, 2, offer.rank());
      out.writeLong(offer.epoch());
      out.writeList(offer.candidates(), MemberWire::writeCandidate);
    } else if (message instanceof MemberMessage.Vote vote) {
      head(out, 3, vote.rank());
      out.writeLong(vote.epoch());
      out.writeCheckpoint(vote.id());
      out.writeUTF(vote.level().map(Level::name).orElse(""));
      out.writeText(vote.refusal(), Wire.KEPT_OF_REASON);
    } else if (message instanceof MemberMessage.Held held) {
      writeHeld(out, held);
    } else if (message instanceof MemberMessage.GaveUp gaveUp) {
      head(out, 5, gaveUp.rank());
      out.writeLong(gaveUp.epoch());
      out.writeLong(gaveUp.iteration());
      out.writeLevel(gaveUp.level());
      out.writeBoolean(gaveUp.failed());
      out.writeText(gaveUp.reason(), Wire.KEPT_OF_REASON);
    } else if (message instanceof MemberMessage.Leave leave) {
      head(out, 6, leave.rank());
      out.writeLong(leave.epoch());
    } else if (message instanceof MemberMessage.CadenceVote vote) {
      head(out, 7, vote.rank());
      out.writeLong(vote.epoch());
      out.writeLong(vote.version());
      out.writeBoolean(vote.inTime());
    } else if (message instanceof MemberMessage.Endangered endangered) {
      head(out, 8, endangered.rank());
      out.writeLong(endangered.epoch());
    }
  }

  private static void head(FieldWriter out, int kind, int rank) throws IOException {
    out.writeByte(kind);
    out.writeInt(rank);
  }

  private static void writeHeld(FieldWriter out, MemberMessage.Held held) throws IOException {
    head(out, 4, held.rank());
    out.writeLong(held.epoch());
    out.writeLong(held.iteration());
    out.writeLevel(held.level());
    out.writeOptional(held.container(), MemberWire::writeContainer);
    CadenceWire.write(out, held.measured());
  }

  static MemberMessage read(FieldReader in) throws IOException {
    int kind = in.readUnsignedByte();
    int rank = in.readInt();
    return switch (kind) {
      case 1 -> new MemberMessage.Join(rank, in.readInt(), in.readUTF());
      case 2 ->
          new MemberMessage.Offer(rank, in.readLong(), in.readList(MemberWire::readCandidate));
      case 3 ->
          new MemberMessage.Vote(
              rank, in.readLong(), in.readCheckpoint(), readVoted(in), in.readUTF());
      case 4 ->
          new MemberMessage.Held(
              rank,
              in.readLong(),
              in.readLong(),
              in.readLevel(),
              in.readOptional(MemberWire::readContainer),
              CadenceWire.readMeasurement(in));
      case 5 ->
          new MemberMessage.GaveUp(
              rank, in.readLong(), in.readLong(), in.readLevel(), in.readBoolean(), in.readUTF());
      case 6 -> new MemberMessage.Leave(rank, in.readLong());
      case 7 -> new MemberMessage.CadenceVote(rank, in.readLong(), in.readLong(), in.readBoolean());
      case 8 -> new MemberMessage.Endangered(rank, in.readLong());
      default -> throw new IOException("unknown kind " + kind);
    };
  }

  /** A vote has no level if it refuses. */
  private static Optional<Level> readVoted(FieldReader in) throws IOException {
    String name = in.readUTF();
    return name.isEmpty() ? Optional.empty() : Optional.of(Level.valueOf(name));
  }

  private static void writeCandidate(FieldWriter out, Candidate candidate) throws IOException {
    out.writeCheckpoint(candidate.id());
    out.writeDigest(candidate.digest());
    out.writeAncestry(candidate.ancestry());
  }

  private static Candidate readCandidate(FieldReader in) throws IOException {
    return new Candidate(in.readCheckpoint(), in.readDigest(), in.readAncestry());
  }

  private static void writeContainer(FieldWriter out, ContainerSummary container)
      throws IOException {
    out.writeUTF(container.file());
    out.writeLong(container.bytes());
    out.writeDigest(container.indexDigest());
    out.writeList(container.ranks(), FieldWriter::writeInt);
  }

  private static ContainerSummary readContainer(FieldReader in) throws IOException {
    return new ContainerSummary(
        in.readUTF(), in.readLong(), in.readDigest(), in.readList(FieldReader::readInt));
  }
}
