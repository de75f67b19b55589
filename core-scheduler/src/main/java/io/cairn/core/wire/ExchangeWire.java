package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;

import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import java.io.IOException;
import java.util.List;

/** The exchange of executors with the driver, field by field. */
final class ExchangeWire {
  static final Kinds<ExchangeRequest> REQUESTS =
      new Kinds<ExchangeRequest>(
          "executor's request",
          List.of(
              kind(
                  101,
                  ExchangeRequest.Register.class,
                  ExchangeWire::writeRegister,
                  ExchangeWire::readRegister),
              kind(
                  102, ExchangeRequest.Send.class, ExchangeWire::writeSend, ExchangeWire::readSend),
              kind(
                  103,
                  ExchangeRequest.Fetch.class,
                  (out, fetch) -> {
                    out.writeUTF(fetch.executor());
                    out.writeLong(fetch.registration());
                    out.writeLong(fetch.received());
                  },
                  in -> new ExchangeRequest.Fetch(in.readUTF(), in.readLong(), in.readLong()))));

  static final Kinds<ExchangeReply> REPLIES =
      new Kinds<ExchangeReply>(
          "driver's reply",
          List.of(
              kind(
                  111,
                  ExchangeReply.Registered.class,
                  (out, registered) -> {},
                  in -> new ExchangeReply.Registered()),
              kind(
                  112,
                  ExchangeReply.Messages.class,
                  (out, reply) -> {
                    out.writeLong(reply.last());
                    out.writeList(reply.messages(), ExchangeWire::writeToMember);
                  },
                  in ->
                      new ExchangeReply.Messages(
                          in.readLong(), in.readList(ExchangeWire::readToMember))),
              kind(
                  113,
                  ExchangeReply.Unregistered.class,
                  (out, unregistered) -> {},
                  in -> new ExchangeReply.Unregistered())));

  private ExchangeWire() {}

  private static void writeRegister(FieldWriter out, ExchangeRequest.Register register)
      throws IOException {
    out.writeUTF(register.executor());
    out.writeLong(register.number());
    out.writeUTF(register.node());
    out.writeUTF(register.topology());
  }

  private static ExchangeRequest.Register readRegister(FieldReader in) throws IOException {
    return new ExchangeRequest.Register(in.readUTF(), in.readLong(), in.readUTF(), in.readUTF());
  }

  private static void writeSend(FieldWriter out, ExchangeRequest.Send send) throws IOException {
    out.writeUTF(send.executor());
    out.writeLong(send.number());
    out.writeLong(send.received());
    out.writeList(send.messages(), ExchangeWire::writeToCoordinator);
  }

  private static ExchangeRequest.Send readSend(FieldReader in) throws IOException {
    return new ExchangeRequest.Send(
        in.readUTF(), in.readLong(), in.readLong(), in.readList(ExchangeWire::readToCoordinator));
  }

  private static void writeToCoordinator(FieldWriter out, ToCoordinator sent) throws IOException {
    out.writeGroup(sent.group());
    out.writeInt(sent.size());
    out.writeUTF(sent.incarnation());
    MemberWire.MESSAGES.write(out, sent.message());
  }

  private static ToCoordinator readToCoordinator(FieldReader in) throws IOException {
    return new ToCoordinator(
        in.readGroup(), in.readInt(), in.readUTF(), MemberWire.MESSAGES.read(in));
  }

  private static void writeToMember(FieldWriter out, ToMember sent) throws IOException {
    out.writeUTF(sent.incarnation());
    CoordinatorWire.MESSAGES.write(out, sent.message());
  }

  private static ToMember readToMember(FieldReader in) throws IOException {
    return new ToMember(in.readUTF(), CoordinatorWire.MESSAGES.read(in));
  }
}
