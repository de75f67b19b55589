/** Codes that protect the data of several ranks by less than a copy of each. */
@NullMarked
package io.cairn.flush.redundancy;

import org.jspecify.annotations.NullMarked;
