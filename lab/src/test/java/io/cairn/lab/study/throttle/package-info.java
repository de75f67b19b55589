/** Tests of slowed links: what is booked, and that memory behind them is memory. No durations. */
@NullMarked
package io.cairn.lab.study.throttle;

import org.jspecify.annotations.NullMarked;
