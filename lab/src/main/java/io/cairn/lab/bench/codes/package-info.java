/** {@code cairn-lab bench codes}: how fast the codes of PEER compute parities and lost pieces. */
@NullMarked
package io.cairn.lab.bench.codes;

import org.jspecify.annotations.NullMarked;
