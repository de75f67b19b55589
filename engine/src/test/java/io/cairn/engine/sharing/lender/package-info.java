/** Tests of the lender below the protocol: its slots and pushes. */
@NullMarked
package io.cairn.engine.sharing.lender;

import org.jspecify.annotations.NullMarked;
