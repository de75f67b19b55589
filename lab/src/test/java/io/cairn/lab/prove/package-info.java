/** Tests of the proofs by command. */
@NullMarked
package io.cairn.lab.prove;

import org.jspecify.annotations.NullMarked;
