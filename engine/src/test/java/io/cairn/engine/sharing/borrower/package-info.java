/** Tests of the borrower against scripted lenders. */
@NullMarked
package io.cairn.engine.sharing.borrower;

import org.jspecify.annotations.NullMarked;
