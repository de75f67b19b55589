/** Tests of the failure sources and of the simulator, against published values and by hand. */
@NullMarked
package io.cairn.lab.failure;

import org.jspecify.annotations.NullMarked;
