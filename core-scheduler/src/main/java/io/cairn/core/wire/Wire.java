package io.cairn.core.wire;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;

/**
 * The messages between a group's members and its coordinator as bytes: one byte for the version,
 * one for the kind, then the fields in the order of the records. Bounded: a list has at most
 * 100_000 entries, and a reason is clipped. Both ends run the same version, since one application
 * ships both; so there is a version byte to refuse another, and no evolution. Thread-safe. The
 * fields of each kind are in {@link MemberWire} and {@link CoordinatorWire}.
 */
public final class Wire {
  /** Characters that are kept of a reason that is clipped. */
  static final int KEPT_OF_REASON = 4000;

  private static final int VERSION = 2;
  private static final String REFUSAL = "not a message of this version";

  private Wire() {}

  /** The bytes of a member's message. */
  public static byte[] encode(MemberMessage message) {
    return FieldWriter.encode(VERSION, message, MemberWire::write);
  }

  /**
   * The message in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static MemberMessage decodeMember(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, MemberWire::read);
  }

  /** The bytes of a coordinator's message. */
  public static byte[] encode(CoordinatorMessage message) {
    return FieldWriter.encode(VERSION, message, CoordinatorWire::write);
  }

  /**
   * The message in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static CoordinatorMessage decodeCoordinator(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, REFUSAL, CoordinatorWire::read);
  }
}
