package io.cairn.core.wire;

/** A message between processes, of one of these families. Immutable. */
public sealed interface Message
    permits PeerRequest,
        PeerReply,
        ChunkSpan,
        ExchangeRequest,
        ExchangeReply,
        StandbyRequest,
        StandbyReply,
        PageReport {}
