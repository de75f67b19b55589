package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import java.io.IOException;
import java.util.List;

/** A borrower's requests to a lender and the lender's answers, field by field. */
final class LeaseWire {
  static final Kinds<LeaseRequest> REQUESTS =
      new Kinds<LeaseRequest>(
          "lease request",
          List.of(
              kind(
                  31,
                  LeaseRequest.Acquire.class,
                  (out, claim) -> {
                    writeId(out, claim.id());
                    out.writeInt(claim.chunks());
                  },
                  in -> new LeaseRequest.Acquire(readId(in), in.readInt())),
              kind(
                  32,
                  LeaseRequest.Filled.class,
                  (out, filled) -> {
                    writeId(out, filled.id());
                    out.writeList(filled.chunks(), LeaseWire::writeChunk);
                  },
                  in -> new LeaseRequest.Filled(readId(in), in.readList(LeaseWire::readChunk))),
              kind(
                  33,
                  LeaseRequest.Release.class,
                  (out, release) -> writeId(out, release.id()),
                  in -> new LeaseRequest.Release(readId(in)))));

  static final Kinds<LeaseAnswer> ANSWERS =
      new Kinds<LeaseAnswer>(
          "lease answer",
          List.of(
              kind(
                  41,
                  LeaseAnswer.Granted.class,
                  (out, granted) -> {
                    write(out, granted.id(), granted.slots());
                    out.writeLong(granted.fillNanos());
                  },
                  in -> new LeaseAnswer.Granted(readId(in), readNumbers(in), in.readLong())),
              kind(
                  42,
                  LeaseAnswer.Refused.class,
                  (out, refused) -> {
                    writeId(out, refused.id());
                    out.writeText(refused.reason());
                  },
                  in -> new LeaseAnswer.Refused(readId(in), in.readUTF())),
              kind(
                  43,
                  LeaseAnswer.Acknowledged.class,
                  (out, acknowledged) -> write(out, acknowledged.id(), acknowledged.positions()),
                  in -> new LeaseAnswer.Acknowledged(readId(in), readNumbers(in))),
              kind(
                  44,
                  LeaseAnswer.Rejected.class,
                  (out, rejected) -> {
                    write(out, rejected.id(), rejected.positions());
                    out.writeText(rejected.reason());
                  },
                  in -> new LeaseAnswer.Rejected(readId(in), readNumbers(in), in.readUTF())),
              kind(
                  45,
                  LeaseAnswer.Revoked.class,
                  (out, revoked) -> {
                    write(out, revoked.id(), revoked.positions());
                    out.writeText(revoked.reason());
                  },
                  in -> new LeaseAnswer.Revoked(readId(in), readNumbers(in), in.readUTF())),
              kind(
                  46,
                  LeaseAnswer.Released.class,
                  (out, released) -> writeId(out, released.id()),
                  in -> new LeaseAnswer.Released(readId(in)))));

  private LeaseWire() {}

  static void writeId(FieldWriter out, LeaseId id) throws IOException {
    out.writeUTF(id.holder());
    out.writeLong(id.nonce());
    out.writeCheckpoint(id.checkpoint());
    out.writeInt(id.rank());
  }

  static LeaseId readId(FieldReader in) throws IOException {
    return new LeaseId(in.readUTF(), in.readLong(), in.readCheckpoint(), in.readInt());
  }

  static void write(FieldWriter out, LeaseId id, List<Integer> numbers) throws IOException {
    writeId(out, id);
    out.writeList(numbers, FieldWriter::writeInt);
  }

  static List<Integer> readNumbers(FieldReader in) throws IOException {
    return in.readList(FieldReader::readInt);
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
}
