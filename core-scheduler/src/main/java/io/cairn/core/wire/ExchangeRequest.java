package io.cairn.core.wire;

import io.cairn.GroupId;
import io.cairn.core.protocol.MemberMessage;
import java.util.List;

/** A request of an executor to the driver, which coordinates coupled groups. Immutable. */
public sealed interface ExchangeRequest extends Message {
  /** The executor's id. */
  String executor();

  /**
   * The number of the request, rising from 1; a repeated request has the same and counts once. 0
   * for a request that may count any number of times.
   */
  long number();

  /**
   * The first request of an executor, answered by {@link ExchangeReply.Registered}.
   *
   * @param node the machine and its node directory
   * @param topology links of the machine's devices, as {@code nvidia-smi topo -m} prints them;
   *     empty if unknown
   */
  record Register(String executor, long number, String node, String topology)
      implements ExchangeRequest {}

  /**
   * Messages of the executor's ranks; answered by {@link ExchangeReply.Messages}, at once.
   *
   * @param received number of the last message that came from the driver, 0 if none did
   * @param messages in order
   */
  record Send(String executor, long number, long received, List<ToCoordinator> messages)
      implements ExchangeRequest {
    /** Copies the list. */
    public Send {
      messages = List.copyOf(messages);
    }
  }

  /**
   * Asks for messages to the executor's ranks; answered by {@link ExchangeReply.Messages} when
   * there are some, or without any when the executor asks again.
   *
   * @param registration number of the executor's last {@link Register}
   * @param received as of {@link Send}
   */
  record Fetch(String executor, long registration, long received) implements ExchangeRequest {
    @Override
    public long number() {
      return 0;
    }
  }

  /** A rank's message to its coordinator. */
  record ToCoordinator(GroupId group, int size, String incarnation, MemberMessage message) {}
}
