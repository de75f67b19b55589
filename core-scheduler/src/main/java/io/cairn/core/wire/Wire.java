package io.cairn.core.wire;

import io.cairn.core.codec.RecordCodec;

/**
 * Every message between processes as bytes, in one {@link RecordCodec}: no message is read as
 * another, since every kind has a code of its own. Thread-safe; linear in the length of the
 * message.
 */
public final class Wire {
  private static final byte VERSION = 13;
  private static final RecordCodec<Message> CODEC = new RecordCodec<>(Message.class, VERSION);

  private Wire() {}

  /**
   * The bytes of a message.
   *
   * @throws IllegalArgumentException naming the class, if a text has more than 65 535 bytes
   */
  public static byte[] encode(Message message) {
    return CODEC.encode(message);
  }

  /** Whether these are the bytes of a message of another version, which nothing here reads. */
  public static boolean isOfAnotherVersion(byte[] bytes) {
    return bytes.length > 0 && bytes[0] != VERSION;
  }

  /**
   * The class of the message in {@code bytes}, which may be anything, by its code alone.
   *
   * @throws IllegalArgumentException and nothing else, as of {@link RecordCodec#kind}
   */
  public static Class<?> kind(byte[] bytes) {
    return CODEC.kind(bytes);
  }

  /**
   * The message in {@code bytes}, which may be anything, and which the message may keep.
   *
   * @param expected a family of messages, a part of one, or a record
   * @throws IllegalArgumentException and nothing else, as of {@link RecordCodec#decode}
   */
  public static <M extends Message> M decode(byte[] bytes, Class<M> expected) {
    return CODEC.decode(bytes, expected);
  }
}
