package io.cairn.core.wire;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Messages as bytes: one byte for the kind, then the fields in the order of the records. Bounded: a
 * list has at most {@value #MAX_ENTRIES} entries. Both ends run the same version, since one
 * application ships both; so there is a version byte to refuse another, and no evolution.
 */
public final class Wire {
  private static final int VERSION = 2;
  private static final int MAX_ENTRIES = 100_000;

  private Wire() {}

  /** A field writer that may fail, which memory does not. */
  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private interface Parser<T> {
    T read(DataInputStream in) throws IOException;
  }

  /** The bytes of a member's message. */
  public static byte[] encode(MemberMessage message) {
    return encoding(
        out -> {
          if (message instanceof MemberMessage.Join join) {
            head(out, 1, join.rank());
            out.writeInt(join.size());
            out.writeUTF(join.incarnation());
          } else if (message instanceof MemberMessage.Offer offer) {
            head(out, 2, offer.rank());
            out.writeLong(offer.epoch());
            out.writeInt(offer.candidates().size());
            for (Candidate candidate : offer.candidates()) {
              writeId(out, candidate.id());
              out.writeUTF(candidate.digest().hex());
              writeAncestry(out, candidate.ancestry());
            }
          } else if (message instanceof MemberMessage.Vote vote) {
            head(out, 3, vote.rank());
            out.writeLong(vote.epoch());
            writeId(out, vote.id());
            out.writeUTF(vote.level().map(Level::name).orElse(""));
            out.writeUTF(clip(vote.refusal()));
          } else if (message instanceof MemberMessage.Held held) {
            head(out, 4, held.rank());
            out.writeLong(held.epoch());
            out.writeLong(held.iteration());
            out.writeUTF(held.level().name());
            out.writeBoolean(held.container().isPresent());
            if (held.container().isPresent()) {
              writeContainer(out, held.container().get());
            }
            CadenceWire.write(out, held.measured());
          } else if (message instanceof MemberMessage.GaveUp gaveUp) {
            head(out, 5, gaveUp.rank());
            out.writeLong(gaveUp.epoch());
            out.writeLong(gaveUp.iteration());
            out.writeUTF(gaveUp.level().name());
            out.writeBoolean(gaveUp.failed());
            out.writeUTF(clip(gaveUp.reason()));
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
        });
  }

  /**
   * The message in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static MemberMessage decodeMember(byte[] bytes) {
    return decoding(bytes, Wire::readMember);
  }

  private static MemberMessage readMember(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    int rank = in.readInt();
    return switch (kind) {
      case 1 -> new MemberMessage.Join(rank, in.readInt(), in.readUTF());
      case 2 -> new MemberMessage.Offer(rank, in.readLong(), readList(in, Wire::readCandidate));
      case 3 ->
          new MemberMessage.Vote(
              rank, in.readLong(), readId(in), readOptionalLevel(in), in.readUTF());
      case 4 ->
          new MemberMessage.Held(
              rank,
              in.readLong(),
              in.readLong(),
              readLevel(in),
              readOptional(in, Wire::readContainer),
              CadenceWire.readMeasurement(in));
      case 5 ->
          new MemberMessage.GaveUp(
              rank, in.readLong(), in.readLong(), readLevel(in), in.readBoolean(), in.readUTF());
      case 6 -> new MemberMessage.Leave(rank, in.readLong());
      case 7 -> new MemberMessage.CadenceVote(rank, in.readLong(), in.readLong(), in.readBoolean());
      case 8 -> new MemberMessage.Endangered(rank, in.readLong());
      default -> throw new IOException("unknown kind " + kind);
    };
  }

  /** The bytes of a coordinator's message. */
  public static byte[] encode(CoordinatorMessage message) {
    return encoding(
        out -> {
          if (message instanceof CoordinatorMessage.Joined joined) {
            out.writeByte(1);
            out.writeLong(joined.epoch());
            CadenceWire.write(out, joined.cadence());
          } else if (message instanceof CoordinatorMessage.Refused refused) {
            out.writeByte(2);
            out.writeUTF(clip(refused.reason()));
          } else if (message instanceof CoordinatorMessage.Fenced fenced) {
            out.writeByte(3);
            out.writeUTF(clip(fenced.reason()));
          } else if (message instanceof CoordinatorMessage.Verify verify) {
            out.writeByte(4);
            out.writeLong(verify.epoch());
            writeId(out, verify.id());
          } else if (message instanceof CoordinatorMessage.Resume resume) {
            writeResume(out, resume);
          } else if (message instanceof CoordinatorMessage.Settled settled) {
            out.writeByte(6);
            out.writeLong(settled.epoch());
            out.writeLong(settled.iteration());
            out.writeUTF(settled.level().name());
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
        });
  }

  /**
   * The message in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static CoordinatorMessage decodeCoordinator(byte[] bytes) {
    return decoding(bytes, Wire::readCoordinator);
  }

  private static CoordinatorMessage readCoordinator(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new CoordinatorMessage.Joined(in.readLong(), CadenceWire.readPlan(in));
      case 2 -> new CoordinatorMessage.Refused(in.readUTF());
      case 3 -> new CoordinatorMessage.Fenced(in.readUTF());
      case 4 -> new CoordinatorMessage.Verify(in.readLong(), readId(in));
      case 5 ->
          new CoordinatorMessage.Resume(
              in.readLong(),
              readOptional(in, Wire::readId),
              readOptional(in, Wire::readParent),
              readAncestry(in),
              in.readUTF());
      case 6 ->
          new CoordinatorMessage.Settled(
              in.readLong(), in.readLong(), readLevel(in), readOutcome(in));
      case 7 -> new CoordinatorMessage.CadencePlanned(in.readLong(), CadenceWire.readPlan(in));
      case 8 ->
          new CoordinatorMessage.CadenceDecided(in.readLong(), in.readLong(), in.readBoolean());
      case 9 -> new CoordinatorMessage.Rescue(in.readLong(), in.readLong());
      default -> throw new IOException("unknown kind " + kind);
    };
  }

  private static Parent readParent(DataInputStream in) throws IOException {
    return new Parent(readId(in), new Digest(in.readUTF()));
  }

  private static void writeResume(DataOutputStream out, CoordinatorMessage.Resume resume)
      throws IOException {
    out.writeByte(5);
    out.writeLong(resume.epoch());
    out.writeBoolean(resume.id().isPresent());
    if (resume.id().isPresent()) {
      writeId(out, resume.id().get());
    }
    out.writeBoolean(resume.parent().isPresent());
    if (resume.parent().isPresent()) {
      writeId(out, resume.parent().get().id());
      out.writeUTF(resume.parent().get().manifestDigest().hex());
    }
    writeAncestry(out, resume.ancestry());
    out.writeUTF(clip(resume.refusals()));
  }

  private static void writeOutcome(DataOutputStream out, Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Sealed sealed) {
      out.writeByte(1);
      out.writeUTF(sealed.level().name());
    } else if (outcome instanceof Outcome.Skipped skipped) {
      out.writeByte(2);
      out.writeUTF(clip(skipped.reason()));
    } else if (outcome instanceof Outcome.Failed failed) {
      out.writeByte(3);
      out.writeUTF(clip(failed.reason()));
    } else {
      throw new IllegalArgumentException("a level does not settle as " + outcome);
    }
  }

  private static Outcome readOutcome(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new Outcome.Sealed(readLevel(in));
      case 2 -> new Outcome.Skipped(in.readUTF());
      case 3 -> new Outcome.Failed(in.readUTF());
      default -> throw new IOException("unknown outcome " + kind);
    };
  }

  private static void head(DataOutputStream out, int kind, int rank) throws IOException {
    out.writeByte(kind);
    out.writeInt(rank);
  }

  private static void writeId(DataOutputStream out, CheckpointId id) throws IOException {
    out.writeUTF(id.group().job());
    out.writeUTF(id.group().group());
    out.writeLong(id.epoch());
    out.writeLong(id.iteration());
  }

  private static CheckpointId readId(DataInputStream in) throws IOException {
    return new CheckpointId(new GroupId(in.readUTF(), in.readUTF()), in.readLong(), in.readLong());
  }

  private static void writeAncestry(DataOutputStream out, Ancestry ancestry) throws IOException {
    out.writeInt(ancestry.steps().size());
    for (Ancestry.Step step : ancestry.steps()) {
      out.writeLong(step.epoch());
      out.writeLong(step.iteration());
    }
  }

  private static Ancestry readAncestry(DataInputStream in) throws IOException {
    return new Ancestry(readList(in, i -> new Ancestry.Step(i.readLong(), i.readLong())));
  }

  private static Candidate readCandidate(DataInputStream in) throws IOException {
    return new Candidate(readId(in), new Digest(in.readUTF()), readAncestry(in));
  }

  private static void writeContainer(DataOutputStream out, ContainerSummary container)
      throws IOException {
    out.writeUTF(container.file());
    out.writeLong(container.bytes());
    out.writeUTF(container.indexDigest().hex());
    out.writeInt(container.ranks().size());
    for (int rank : container.ranks()) {
      out.writeInt(rank);
    }
  }

  private static ContainerSummary readContainer(DataInputStream in) throws IOException {
    return new ContainerSummary(
        in.readUTF(),
        in.readLong(),
        new Digest(in.readUTF()),
        readList(in, DataInputStream::readInt));
  }

  private static Optional<Level> readOptionalLevel(DataInputStream in) throws IOException {
    String name = in.readUTF();
    return name.isEmpty() ? Optional.empty() : Optional.of(Level.valueOf(name));
  }

  private static Level readLevel(DataInputStream in) throws IOException {
    return Level.valueOf(in.readUTF());
  }

  private static <T> List<T> readList(DataInputStream in, Parser<T> parser) throws IOException {
    int entries = in.readInt();
    if (entries < 0 || entries > MAX_ENTRIES) {
      throw new IOException("a list of " + entries + " entries");
    }
    List<T> list = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      list.add(parser.read(in));
    }
    return list;
  }

  private static <T> Optional<T> readOptional(DataInputStream in, Parser<T> parser)
      throws IOException {
    return in.readBoolean() ? Optional.of(parser.read(in)) : Optional.empty();
  }

  /** Reasons are for people; {@code writeUTF} takes at most 65 535 bytes. */
  private static String clip(String reason) {
    return reason.length() <= 4000 ? reason : reason.substring(0, 4000) + "…";
  }

  private static byte[] encoding(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
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
          "not a message of this version (" + bytes.length + " bytes): " + e.getMessage(), e);
    }
  }
}
