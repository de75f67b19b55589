package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.Level;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A member's messages to its coordinator, field by field. */
final class MemberWire {
  static final Kinds<MemberMessage> MESSAGES =
      new Kinds<MemberMessage>(
          "member's message",
          List.of(
              kind(1, MemberMessage.Join.class, MemberWire::write, MemberWire::readJoin),
              kind(2, MemberMessage.Offer.class, MemberWire::write, MemberWire::readOffer),
              kind(3, MemberMessage.Vote.class, MemberWire::write, MemberWire::readVote),
              kind(4, MemberMessage.Held.class, MemberWire::write, MemberWire::readHeld),
              kind(5, MemberMessage.GaveUp.class, MemberWire::write, MemberWire::readGaveUp),
              kind(
                  6,
                  MemberMessage.Leave.class,
                  (out, leave) -> head(out, leave.rank(), leave.epoch()),
                  in -> new MemberMessage.Leave(in.readInt(), in.readLong())),
              kind(
                  7,
                  MemberMessage.CadenceVote.class,
                  MemberWire::write,
                  MemberWire::readCadenceVote),
              kind(
                  8,
                  MemberMessage.Endangered.class,
                  (out, endangered) -> head(out, endangered.rank(), endangered.epoch()),
                  in -> new MemberMessage.Endangered(in.readInt(), in.readLong())),
              kind(
                  9,
                  MemberMessage.Ending.class,
                  MemberWire::write,
                  in ->
                      new MemberMessage.Ending(
                          in.readInt(),
                          in.readLong(),
                          in.readLong(),
                          MemberMessage.End.valueOf(in.readUTF()))),
              kind(
                  10,
                  MemberMessage.Withdraw.class,
                  MemberWire::write,
                  in -> new MemberMessage.Withdraw(in.readInt(), in.readUTF(), in.readBoolean())),
              kind(
                  11,
                  MemberMessage.Again.class,
                  MemberWire::write,
                  in -> new MemberMessage.Again(in.readInt(), in.readLong(), in.readLong()))));

  private MemberWire() {}

  private static void head(FieldWriter out, int rank, long epoch) throws IOException {
    out.writeInt(rank);
    out.writeLong(epoch);
  }

  private static void write(FieldWriter out, MemberMessage.Ending ending) throws IOException {
    head(out, ending.rank(), ending.epoch());
    out.writeLong(ending.iteration());
    out.writeUTF(ending.end().name());
  }

  private static void write(FieldWriter out, MemberMessage.Again again) throws IOException {
    head(out, again.rank(), again.epoch());
    out.writeLong(again.iteration());
  }

  private static void write(FieldWriter out, MemberMessage.Withdraw withdraw) throws IOException {
    out.writeInt(withdraw.rank());
    out.writeUTF(withdraw.incarnation());
    out.writeBoolean(withdraw.failed());
  }

  private static void write(FieldWriter out, MemberMessage.Join join) throws IOException {
    out.writeInt(join.rank());
    out.writeInt(join.size());
    out.writeUTF(join.incarnation());
    out.writeUTF(join.origin().birth());
    out.writeLong(join.origin().epoch());
    out.writeUTF(join.origin().node());
  }

  private static MemberMessage.Join readJoin(FieldReader in) throws IOException {
    return new MemberMessage.Join(
        in.readInt(),
        in.readInt(),
        in.readUTF(),
        new Origin(in.readUTF(), in.readLong(), in.readUTF()));
  }

  private static void write(FieldWriter out, MemberMessage.Offer offer) throws IOException {
    head(out, offer.rank(), offer.epoch());
    out.writeList(offer.candidates(), MemberWire::writeCandidate);
    out.writeBoolean(offer.outOfReach());
  }

  private static MemberMessage.Offer readOffer(FieldReader in) throws IOException {
    return new MemberMessage.Offer(
        in.readInt(), in.readLong(), in.readList(MemberWire::readCandidate), in.readBoolean());
  }

  static void writeCandidate(FieldWriter out, Candidate candidate) throws IOException {
    out.writeCheckpoint(candidate.id());
    out.writeDigest(candidate.digest());
    out.writeAncestry(candidate.ancestry());
  }

  static Candidate readCandidate(FieldReader in) throws IOException {
    return new Candidate(in.readCheckpoint(), in.readDigest(), in.readAncestry());
  }

  private static void write(FieldWriter out, MemberMessage.Vote vote) throws IOException {
    head(out, vote.rank(), vote.epoch());
    out.writeCheckpoint(vote.id());
    out.writeUTF(vote.level().map(Level::name).orElse(""));
    out.writeText(vote.refusal());
  }

  private static MemberMessage.Vote readVote(FieldReader in) throws IOException {
    return new MemberMessage.Vote(
        in.readInt(), in.readLong(), in.readCheckpoint(), readVoted(in), in.readUTF());
  }

  /** A vote that refuses has no level. */
  private static Optional<Level> readVoted(FieldReader in) throws IOException {
    String name = in.readUTF();
    return name.isEmpty() ? Optional.empty() : Optional.of(Level.valueOf(name));
  }

  private static void write(FieldWriter out, MemberMessage.Held held) throws IOException {
    head(out, held.rank(), held.epoch());
    out.writeLong(held.iteration());
    out.writeLevel(held.level());
    out.writeList(held.containers(), FieldWriter::writeContainer);
    CadenceWire.write(out, held.measured());
  }

  private static MemberMessage.Held readHeld(FieldReader in) throws IOException {
    return new MemberMessage.Held(
        in.readInt(),
        in.readLong(),
        in.readLong(),
        in.readLevel(),
        in.readList(FieldReader::readContainer),
        CadenceWire.readMeasurement(in));
  }

  private static void write(FieldWriter out, MemberMessage.GaveUp gaveUp) throws IOException {
    head(out, gaveUp.rank(), gaveUp.epoch());
    out.writeLong(gaveUp.iteration());
    out.writeLevel(gaveUp.level());
    out.writeUTF(gaveUp.why().name());
    out.writeText(gaveUp.reason());
  }

  private static MemberMessage.GaveUp readGaveUp(FieldReader in) throws IOException {
    return new MemberMessage.GaveUp(
        in.readInt(),
        in.readLong(),
        in.readLong(),
        in.readLevel(),
        MemberMessage.GaveUp.Why.valueOf(in.readUTF()),
        in.readUTF());
  }

  private static void write(FieldWriter out, MemberMessage.CadenceVote vote) throws IOException {
    head(out, vote.rank(), vote.epoch());
    out.writeLong(vote.version());
    out.writeBoolean(vote.inTime());
  }

  private static MemberMessage.CadenceVote readCadenceVote(FieldReader in) throws IOException {
    return new MemberMessage.CadenceVote(
        in.readInt(), in.readLong(), in.readLong(), in.readBoolean());
  }
}
