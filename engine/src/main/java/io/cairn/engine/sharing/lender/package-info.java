/**
 * The lender: leases slots of this process's cache as its lease book decides. It verifies the
 * chunks that borrowers write there, serves reads, and writes the chunks to NODE on request.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.sharing.lender;

import org.jspecify.annotations.NullMarked;
