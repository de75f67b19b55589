/** Tests of the failure sources and of the simulator, against published values and by hand. */
@NullMarked
package io.cairn.lab.study.failure;

import org.jspecify.annotations.NullMarked;
