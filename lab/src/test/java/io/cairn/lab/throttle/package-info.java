/** Tests of slowed links: what is booked, and that memory behind them is memory. No durations. */
@NullMarked
package io.cairn.lab.throttle;

import org.jspecify.annotations.NullMarked;
