package io.cairn.engine.sharing.peer;

import java.util.Arrays;

/** What a question to a peer is about: its first byte. The rest is the subject's own. */
public enum PeerCall {
  /** To the desk: a {@code DeskMessage}, answered by a {@code PlanAnswer} or nothing. */
  DESK(1),
  /** To a lender: a {@code LeaseRequest}, answered by a {@code LeaseAnswer}. */
  LEASE(2),
  /** To any holder: nothing, answered by its {@link Greeting}. */
  GREET(3),
  /** To a lender: write what is held under a lease to NODE, as a {@link FlushOrder} says. */
  FLUSH(4),
  /** To a borrower: a {@code LeaseAnswer} that it did not ask for, such as Revoked. */
  NOTICE(5),
  /** To a borrower: move what lies under a lease elsewhere and release it. */
  VACATE(6),
  /** To any holder: this group shares, so that each of its ranks reports; a group's name. */
  SHARES(7),
  /** To a lender: a {@link ChunkSpan} of what it holds, answered by its bytes. */
  READ(8),
  /**
   * To a lender: these positions of a lease have a copy at NODE; a {@code ReleaseSome}'s fields.
   */
  FLUSHED(9);

  private final byte code;

  PeerCall(int code) {
    this.code = (byte) code;
  }

  /** A question with this subject. */
  public byte[] with(byte[] rest) {
    byte[] question = new byte[rest.length + 1];
    question[0] = code;
    System.arraycopy(rest, 0, question, 1, rest.length);
    return question;
  }

  /**
   * The subject of a question.
   *
   * @throws IllegalArgumentException if it has none that is known
   */
  public static PeerCall of(byte[] question) {
    for (PeerCall call : values()) {
      if (question.length > 0 && question[0] == call.code) {
        return call;
      }
    }
    throw new IllegalArgumentException(
        "a question of " + question.length + " bytes has no known subject");
  }

  /** What follows the subject. */
  public static byte[] rest(byte[] question) {
    return Arrays.copyOfRange(question, 1, question.length);
  }
}
