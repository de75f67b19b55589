package io.cairn.core.flow;

import java.util.BitSet;

/**
 * The vertices on the senders' side of a cut other than senders and receivers: those behind an
 * egress cap, before an ingress cap, behind a card out of a node or into one, and before a shared
 * host link. Indexed by device, node or shared host link.
 */
record CutSides(BitSet egress, BitSet ingress, BitSet nicOut, BitSet nicIn, BitSet sharedHost) {}
