package io.cairn.core.wire;

import java.nio.ByteBuffer;

/**
 * A message from the owner of a checkpoint to a staging server. The owner asks and the server
 * answers, yet the server sets the pace: it answers when it wants bytes. Each request is answered
 * by a {@link StagingReply}. Immutable.
 */
public sealed interface StagingRequest {
  /** Names one attempt to have one rank's data written; no two attempts share a name. */
  String attempt();

  /**
   * Write this rank's data to STORE.
   *
   * @param owner names the asking process, for people
   * @param store identity of the store that is STORE for the owner; a server with another refuses
   * @param birth of the group at NODE; a server that finds another one at STORE refuses
   * @param manifest the rank's part of the manifest, as at the owner's node. A buffer of the heap
   *     that nobody writes to any more
   */
  record Announce(String attempt, String owner, String store, String birth, ByteBuffer manifest)
      implements StagingRequest {
    /** The longest part of a manifest. */
    public static final int MOST_BYTES = 1 << 20;

    /** Checks the length. */
    public Announce {
      if (manifest.remaining() > MOST_BYTES) {
        throw new IllegalArgumentException("a manifest of " + manifest.remaining() + " bytes");
      }
    }

    /** The part of the manifest, with a position of the caller's own. */
    @Override
    public ByteBuffer manifest() {
      return manifest.duplicate();
    }
  }

  /** The server said nothing new: it is asked again. */
  record Next(String attempt) implements StagingRequest {}

  /**
   * The bytes that {@link StagingReply.Wanted} asked for.
   *
   * @param number of that reply
   * @param bytes at most {@link PeerReply.Piece#MOST_BYTES}; a buffer of the heap that nobody
   *     writes to any more
   */
  record Bring(String attempt, long number, ByteBuffer bytes) implements StagingRequest {
    /** Checks the length. */
    public Bring {
      if (bytes.remaining() > PeerReply.Piece.MOST_BYTES) {
        throw new IllegalArgumentException("a piece of " + bytes.remaining() + " bytes");
      }
    }

    /** The bytes, with a position of the caller's own. */
    @Override
    public ByteBuffer bytes() {
      return bytes.duplicate();
    }
  }

  /** The owner needs the data at STORE no more, or cannot send it. Ends the attempt. */
  record Withdraw(String attempt) implements StagingRequest {}
}
