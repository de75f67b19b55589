/** Tests of the failover benchmark's figures. */
@NullMarked
package io.cairn.lab.bench.failover;

import org.jspecify.annotations.NullMarked;
