package io.cairn.core.flow;

import java.util.BitSet;

/**
 * What lies on the senders' side of a cut besides the senders and receivers themselves: behind an
 * egress cap, before an ingress cap, behind a card out of a node or into one, before a shared host
 * link. Indexed by device, node or shared host link.
 */
record CutSides(BitSet egress, BitSet ingress, BitSet nicOut, BitSet nicIn, BitSet sharedHost) {}
