/**
 * Measurements by command, each with the figures it must reach. They run the parts as users get
 * them; what a measurement needs besides (clocks, samples, scratch directories) lives here, too.
 */
@NullMarked
package io.cairn.lab.bench;

import org.jspecify.annotations.NullMarked;
