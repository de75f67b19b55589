package io.cairn.engine.session;

/** A checkpoint has no place at DEVICE for all of its chunks. Nothing of it is kept there. */
final class NoRoomException extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  /** With the sizes. */
  NoRoomException(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** Since a peer failed. */
  NoRoomException(RuntimeException failure) {
    super(failure);
    this.reason = failure.toString();
  }

  /** For the outcome of the checkpoint. */
  String reason() {
    return reason;
  }
}
