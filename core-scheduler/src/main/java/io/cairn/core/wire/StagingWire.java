package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import java.util.List;

/** The dialogue between owners and staging servers, field by field. */
final class StagingWire {
  static final Kinds<StagingRequest> REQUESTS =
      new Kinds<StagingRequest>(
          "request to a staging server",
          List.of(
              kind(
                  63,
                  StagingRequest.Announce.class,
                  (out, announce) -> {
                    out.writeUTF(announce.attempt());
                    out.writeUTF(announce.owner());
                    out.writeUTF(announce.store());
                    out.writeUTF(announce.birth());
                    out.writeBytes(announce.manifest());
                  },
                  in ->
                      new StagingRequest.Announce(
                          in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readBytes())),
              kind(
                  64,
                  StagingRequest.Next.class,
                  (out, next) -> out.writeUTF(next.attempt()),
                  in -> new StagingRequest.Next(in.readUTF())),
              kind(
                  65,
                  StagingRequest.Bring.class,
                  (out, bring) -> {
                    out.writeUTF(bring.attempt());
                    out.writeLong(bring.number());
                    out.writeBytes(bring.bytes());
                  },
                  in -> new StagingRequest.Bring(in.readUTF(), in.readLong(), in.readBytes())),
              kind(
                  66,
                  StagingRequest.Withdraw.class,
                  (out, withdraw) -> out.writeUTF(withdraw.attempt()),
                  in -> new StagingRequest.Withdraw(in.readUTF()))));

  static final Kinds<StagingReply> REPLIES =
      new Kinds<StagingReply>(
          "staging server's reply",
          List.of(
              kind(
                  67,
                  StagingReply.Nothing.class,
                  (out, nothing) -> {},
                  in -> new StagingReply.Nothing()),
              kind(
                  68,
                  StagingReply.Wanted.class,
                  (out, wanted) -> {
                    out.writeLong(wanted.number());
                    out.writeCheckpoint(wanted.id());
                    out.writeUTF(wanted.container());
                    out.writeLong(wanted.offset());
                    out.writeInt(wanted.bytes());
                  },
                  in ->
                      new StagingReply.Wanted(
                          in.readLong(),
                          in.readCheckpoint(),
                          in.readUTF(),
                          in.readLong(),
                          in.readInt())),
              kind(
                  69,
                  StagingReply.Staged.class,
                  (out, staged) -> out.writeContainer(staged.container()),
                  in -> new StagingReply.Staged(in.readContainer())),
              kind(
                  70,
                  StagingReply.Refused.class,
                  (out, refused) -> out.writeText(refused.reason()),
                  in -> new StagingReply.Refused(in.readUTF()))));

  private StagingWire() {}
}
