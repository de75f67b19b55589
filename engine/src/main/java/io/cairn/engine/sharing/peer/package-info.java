/**
 * What lenders, borrowers and the desk share: the identity and liveness of other processes, and the
 * messages that they exchange. Does not know who lends or borrows.
 */
@NullMarked
package io.cairn.engine.sharing.peer;

import org.jspecify.annotations.NullMarked;
