package io.cairn.core.sharing;

/** A chunk of a sender and the receiver's slot that it is in. */
public record HeldChunk(int slot, FilledChunk chunk) {}
