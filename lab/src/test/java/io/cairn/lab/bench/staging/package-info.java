/** Tests of the benchmark of staging servers. */
@NullMarked
package io.cairn.lab.bench.staging;

import org.jspecify.annotations.NullMarked;
