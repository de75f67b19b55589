package io.cairn.engine.coordination;

import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.util.function.Consumer;

/** How a rank reaches the coordinator of its group: within the process, or in another one. */
public interface Coordination {
  /**
   * Connects one incarnation of a rank; it joins by sending {@link MemberMessage.Join}.
   *
   * @param incarnation unique
   * @param inbox takes the coordinator's messages, in order, on a thread of the coordination; must
   *     return soon
   */
  Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox);

  /** A rank's way to its coordinator. Thread-safe. */
  interface Link extends AutoCloseable {
    /**
     * Sends without waiting; in order. A message that cannot be delivered is reported in the log.
     */
    void send(MemberMessage message);

    /** Nothing is delivered afterwards. */
    @Override
    void close();
  }
}
