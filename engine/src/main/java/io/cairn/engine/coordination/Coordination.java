package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.core.cadence.Learned;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import java.util.Optional;
import java.util.function.Consumer;

/** Connects a rank to the coordinator of its group, in this process or in another one. */
public interface Coordination {
  /**
   * Connects one incarnation of a rank; it joins by sending {@link MemberMessage.Join}.
   *
   * @param incarnation unique
   * @param inbox receives the coordinator's messages, in order, on a thread of the coordination,
   *     and refusals of {@link Link#send} on the sender's thread; must return soon
   */
  Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox);

  /** A rank's connection to its coordinator. Thread-safe. */
  interface Link extends AutoCloseable {
    /**
     * Sends without waiting, in order. A message that cannot be delivered is logged. If too many
     * wait already, the message is refused: the inbox receives Failed for the level of a report,
     * and {@link CoordinatorMessage.Refused} otherwise.
     */
    void send(MemberMessage message);

    /** Whether it is known that nobody coordinates now; messages wait until a process does. */
    default boolean isAbandoned() {
      return false;
    }

    /**
     * Why the coordinator cannot be asked now; empty while it answers. One in this process always
     * does.
     */
    default Optional<String> trouble() {
      return Optional.empty();
    }

    /** The measurements of the group's cadence; empty if another process coordinates the group. */
    default Optional<Learned> learned() {
      return Optional.empty();
    }

    /**
     * A coordinator in this process takes measurements that were kept with a checkpoint; one in
     * another process has not died with the rank.
     *
     * @param from the checkpoint
     * @param ended whether it was the end of its training
     */
    default void recall(Learned learned, CheckpointId from, boolean ended) {}

    /** Disconnects; the inbox receives nothing afterwards. */
    @Override
    void close();
  }
}
