/**
 * Spare device memory, shared for real: carries out what {@code io.cairn.core.sharing} decides. The
 * desk's host answers reports; a lender lends slots of its cache and verifies and flushes what
 * comes to lie there; a borrower finds places for what does not fit at home. What lies on another
 * machine is pushed there in pieces and asked back the same way. Bytes are copied by {@code
 * io.cairn.cache}, messages are carried by whatever implements {@code io.cairn.core.peer}.
 */
@NullMarked
package io.cairn.engine.sharing;

import org.jspecify.annotations.NullMarked;
