package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.core.model.RegionImage;
import io.cairn.core.wire.PeerReply.Export;
import io.cairn.core.wire.PeerReply.Greeting;
import java.io.IOException;
import java.util.List;

/** Requests between peers and their replies, field by field. */
final class PeerWire {
  static final Kinds<PeerRequest> REQUESTS =
      new Kinds<PeerRequest>(
          "peer's request",
          List.of(
              kind(
                  71,
                  PeerRequest.Desk.class,
                  (out, desk) -> DeskWire.MESSAGES.write(out, desk.message()),
                  in -> new PeerRequest.Desk(DeskWire.MESSAGES.read(in))),
              kind(
                  72,
                  PeerRequest.Lease.class,
                  (out, lease) -> LeaseWire.REQUESTS.write(out, lease.request()),
                  in -> new PeerRequest.Lease(LeaseWire.REQUESTS.read(in))),
              kind(73, PeerRequest.Greet.class, (out, greet) -> {}, in -> new PeerRequest.Greet()),
              kind(74, PeerRequest.Flush.class, PeerWire::writeFlush, PeerWire::readFlush),
              kind(
                  75,
                  PeerRequest.Notice.class,
                  (out, notice) -> LeaseWire.ANSWERS.write(out, notice.answer()),
                  in -> new PeerRequest.Notice(LeaseWire.ANSWERS.read(in))),
              kind(
                  76,
                  PeerRequest.Vacate.class,
                  (out, vacate) -> LeaseWire.writeId(out, vacate.lease()),
                  in -> new PeerRequest.Vacate(LeaseWire.readId(in))),
              kind(
                  77,
                  PeerRequest.Shares.class,
                  (out, shares) -> out.writeGroup(shares.group()),
                  in -> new PeerRequest.Shares(in.readGroup())),
              kind(
                  78,
                  PeerRequest.Read.class,
                  (out, read) -> writeSpan(out, read.span()),
                  in -> new PeerRequest.Read(readSpan(in))),
              kind(
                  79,
                  PeerRequest.Flushed.class,
                  (out, flushed) -> LeaseWire.write(out, flushed.lease(), flushed.positions()),
                  in -> new PeerRequest.Flushed(LeaseWire.readId(in), LeaseWire.readNumbers(in))),
              kind(
                  121,
                  PeerRequest.ServeNode.class,
                  (out, serve) -> NodeWire.writeSite(out, serve.site()),
                  in -> new PeerRequest.ServeNode(NodeWire.readSite(in))),
              kind(122, PeerRequest.SurveyNode.class, NodeWire::writeSurvey, NodeWire::readSurvey),
              kind(123, PeerRequest.ReadNode.class, NodeWire::writeRead, NodeWire::readRead),
              kind(116, PeerRequest.KeepCopy.class, NodeWire::writeKeep, NodeWire::readKeep),
              kind(89, PeerRequest.StageRank.class, NodeWire::writeStage, NodeWire::readStage),
              kind(
                  117, PeerRequest.RetainCopies.class, NodeWire::writeRetain, NodeWire::readRetain),
              kind(
                  124,
                  PeerRequest.RanksOf.class,
                  (out, ranks) -> {
                    out.writeGroup(ranks.group());
                    out.writeLong(ranks.epoch());
                  },
                  in -> new PeerRequest.RanksOf(in.readGroup(), in.readLong())),
              kind(125, PeerRequest.ReadPart.class, NodeWire::writePart, NodeWire::readPart),
              kind(115, PeerRequest.KeepParity.class, NodeWire::writeParity, NodeWire::readParity),
              kind(118, PeerRequest.DropCopies.class, NodeWire::writeDrop, NodeWire::readDrop),
              kind(
                  119,
                  PeerRequest.ReleaseCopies.class,
                  NodeWire::writeRelease,
                  NodeWire::readRelease)));

  static final Kinds<PeerReply> REPLIES =
      new Kinds<PeerReply>(
          "peer's reply",
          List.of(
              kind(81, PeerReply.Done.class, (out, done) -> {}, in -> new PeerReply.Done()),
              kind(
                  82,
                  PeerReply.Planned.class,
                  (out, planned) -> DeskWire.ANSWERS.write(out, planned.answer()),
                  in -> new PeerReply.Planned(DeskWire.ANSWERS.read(in))),
              kind(
                  83,
                  PeerReply.Leased.class,
                  (out, leased) -> LeaseWire.ANSWERS.write(out, leased.answer()),
                  in -> new PeerReply.Leased(LeaseWire.ANSWERS.read(in))),
              kind(84, Greeting.class, PeerWire::writeGreeting, PeerWire::readGreeting),
              kind(
                  85,
                  PeerReply.StillWriting.class,
                  (out, writing) -> {},
                  in -> new PeerReply.StillWriting()),
              kind(
                  86,
                  PeerReply.Written.class,
                  (out, written) -> out.writeContainer(written.container()),
                  in -> new PeerReply.Written(in.readContainer())),
              kind(
                  87,
                  PeerReply.Vacated.class,
                  (out, vacated) -> out.writeBoolean(vacated.moved()),
                  in -> new PeerReply.Vacated(in.readBoolean())),
              kind(
                  88,
                  PeerReply.Piece.class,
                  (out, piece) -> out.writeBytes(piece.bytes()),
                  in -> new PeerReply.Piece(in.readBytes())),
              kind(
                  114,
                  PeerReply.Ranks.class,
                  (out, ranks) -> out.writeList(ranks.ranks(), FieldWriter::writeInt),
                  in -> new PeerReply.Ranks(in.readList(FieldReader::readInt))),
              kind(120, PeerReply.Kept.class, (out, kept) -> {}, in -> new PeerReply.Kept()),
              kind(
                  126,
                  PeerReply.Nodes.class,
                  (out, nodes) -> out.writeList(nodes.sites(), NodeWire::writeSite),
                  in -> new PeerReply.Nodes(in.readList(NodeWire::readSite))),
              kind(
                  127,
                  PeerReply.AtNode.class,
                  (out, found) -> out.writeList(found.holdings(), NodeWire::writeHolding),
                  in -> new PeerReply.AtNode(in.readList(NodeWire::readHolding)))));

  /** The header of a push. */
  static final Kinds<ChunkSpan> SPANS =
      new Kinds<ChunkSpan>(
          "span of a chunk",
          List.of(kind(91, ChunkSpan.class, PeerWire::writeSpan, PeerWire::readSpan)));

  private PeerWire() {}

  private static void writeFlush(FieldWriter out, PeerRequest.Flush flush) throws IOException {
    LeaseWire.writeId(out, flush.lease());
    out.writeInt(flush.groupSize());
    out.writeUTF(flush.node());
    out.writeList(flush.images(), PeerWire::writeImage);
  }

  private static PeerRequest.Flush readFlush(FieldReader in) throws IOException {
    return new PeerRequest.Flush(
        LeaseWire.readId(in), in.readInt(), in.readUTF(), in.readList(PeerWire::readImage));
  }

  private static void writeImage(FieldWriter out, RegionImage image) throws IOException {
    out.writeUTF(image.name());
    out.writeLong(image.bytes());
    out.writeInt(image.chunkBytes());
    out.writeInt(image.chunks());
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      out.writeInt(image.checksum(chunk));
    }
  }

  private static RegionImage readImage(FieldReader in) throws IOException {
    String name = in.readUTF();
    long bytes = in.readLong();
    int chunkBytes = in.readInt();
    int[] checksums = new int[in.readCount(Integer.BYTES)];
    for (int chunk = 0; chunk < checksums.length; chunk++) {
      checksums[chunk] = in.readInt();
    }
    return new RegionImage(name, bytes, chunkBytes, checksums);
  }

  private static void writeSpan(FieldWriter out, ChunkSpan span) throws IOException {
    LeaseWire.writeId(out, span.lease());
    out.writeInt(span.position());
    out.writeInt(span.offset());
    out.writeInt(span.bytes());
  }

  private static ChunkSpan readSpan(FieldReader in) throws IOException {
    return new ChunkSpan(LeaseWire.readId(in), in.readInt(), in.readInt(), in.readInt());
  }

  private static void writeGreeting(FieldWriter out, Greeting greeting) throws IOException {
    out.writeUTF(greeting.holder());
    out.writeUTF(greeting.machine());
    out.writeInt(greeting.chunkBytes());
    out.writeList(greeting.exports(), PeerWire::writeExport);
  }

  private static Greeting readGreeting(FieldReader in) throws IOException {
    return new Greeting(
        in.readUTF(), in.readUTF(), in.readInt(), in.readList(PeerWire::readExport));
  }

  private static void writeExport(FieldWriter out, Export export) throws IOException {
    out.writeInt(export.firstSlot());
    out.writeInt(export.slots());
    out.writeBytes(export.handle());
  }

  private static Export readExport(FieldReader in) throws IOException {
    return new Export(in.readInt(), in.readInt(), in.readBytes());
  }
}
