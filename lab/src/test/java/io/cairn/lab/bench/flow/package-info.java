/** Tests of what surrounds JMH: rivals, reports, instances. None asserts a duration. */
@NullMarked
package io.cairn.lab.bench.flow;

import org.jspecify.annotations.NullMarked;
