package io.cairn.core.wire;

import io.cairn.core.protocol.CoordinatorMessage;
import java.util.List;

/** The driver's answer to an {@link ExchangeRequest}. Immutable. */
public sealed interface ExchangeReply extends Message {
  /** The executor is registered. */
  record Registered() implements ExchangeReply {}

  /**
   * The server does not know the executor, since it began after the executor registered. The
   * executor registers again; its ranks have no coordinator any more.
   */
  record Unregistered() implements ExchangeReply {}

  /**
   * Messages for the executor's ranks. They are numbered from 1 per executor, and sent again until
   * the executor acknowledges them by number.
   *
   * @param last number of the last one of {@code messages}
   */
  record Messages(long last, List<ToMember> messages) implements ExchangeReply {
    /** Copies the list. */
    public Messages {
      messages = List.copyOf(messages);
    }

    /** The messages after number {@code received}. */
    public List<ToMember> after(long received) {
      long first = last - messages.size() + 1;
      long known = Math.max(0, Math.min(messages.size(), received + 1 - first));
      return messages.subList((int) known, messages.size());
    }
  }

  /** A coordinator's message to a rank. */
  record ToMember(String incarnation, CoordinatorMessage message) {}
}
