package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import java.util.List;

/** The dialogue between executors and the desk of standbys, field by field. */
final class StandbyWire {
  static final Kinds<StandbyRequest> REQUESTS =
      new Kinds<StandbyRequest>(
          "request to the desk of standbys",
          List.of(
              kind(
                  93,
                  StandbyRequest.Alive.class,
                  (out, alive) -> {
                    out.writeUTF(alive.executor());
                    out.writeLong(alive.number());
                    out.writeList(alive.tasks(), FieldWriter::writeLong);
                  },
                  in ->
                      new StandbyRequest.Alive(
                          in.readUTF(), in.readLong(), in.readList(FieldReader::readLong))),
              kind(
                  94,
                  StandbyRequest.Ask.class,
                  (out, ask) -> {
                    out.writeUTF(ask.executor());
                    out.writeUTF(ask.machine());
                    out.writeUTF(ask.run());
                    out.writeInt(ask.partition());
                    out.writeLong(ask.task());
                    out.writeBoolean(ask.ready());
                  },
                  in ->
                      new StandbyRequest.Ask(
                          in.readUTF(),
                          in.readUTF(),
                          in.readUTF(),
                          in.readInt(),
                          in.readLong(),
                          in.readBoolean())),
              kind(
                  95,
                  StandbyRequest.Done.class,
                  (out, done) -> {
                    out.writeUTF(done.executor());
                    out.writeUTF(done.run());
                    out.writeLong(done.task());
                    out.writeInt(done.rank());
                    out.writeLong(done.term());
                  },
                  in ->
                      new StandbyRequest.Done(
                          in.readUTF(),
                          in.readUTF(),
                          in.readLong(),
                          in.readInt(),
                          in.readLong()))));

  static final Kinds<StandbyReply> REPLIES =
      new Kinds<StandbyReply>(
          "reply of the desk of standbys",
          List.of(
              kind(
                  96,
                  StandbyReply.Replaced.class,
                  (out, replaced) -> out.writeList(replaced.replaced(), FieldWriter::writeLong),
                  in -> new StandbyReply.Replaced(in.readList(FieldReader::readLong))),
              kind(
                  97,
                  StandbyReply.Train.class,
                  (out, train) -> {
                    out.writeInt(train.rank());
                    out.writeLong(train.term());
                  },
                  in -> new StandbyReply.Train(in.readInt(), in.readLong())),
              kind(98, StandbyReply.Wait.class, (out, wait) -> {}, in -> new StandbyReply.Wait()),
              kind(99, StandbyReply.End.class, (out, end) -> {}, in -> new StandbyReply.End()),
              kind(
                  100,
                  StandbyReply.Counted.class,
                  (out, counted) -> out.writeBoolean(counted.counts()),
                  in -> new StandbyReply.Counted(in.readBoolean()))));

  private StandbyWire() {}
}
