/**
 * Readers of bytes that come from outside, given any bytes. Each target is a fuzz test: it replays
 * its corpus with the other tests, and {@code .ci/fuzz} searches for new inputs. Tests of what a
 * reader makes of legal bytes lie beside the reader.
 */
@NullMarked
package io.cairn.lab.fuzz;

import org.jspecify.annotations.NullMarked;
