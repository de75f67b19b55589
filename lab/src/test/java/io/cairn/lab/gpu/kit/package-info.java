/** The part of the kit for GPUs that runs suites of tests. */
@NullMarked
package io.cairn.lab.gpu.kit;

import org.jspecify.annotations.NullMarked;
