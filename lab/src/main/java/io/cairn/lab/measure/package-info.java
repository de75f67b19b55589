/**
 * The harness of all benchmarks and proofs: {@link io.cairn.lab.measure.Bench} is their command,
 * {@link io.cairn.lab.measure.BenchReport} has what they found, as text, JSON and page, and {@link
 * io.cairn.lab.measure.SideBySide} lets ways take turns. Beside it are samples, scratch directories
 * and the machine. No benchmark lives here.
 */
@NullMarked
package io.cairn.lab.measure;

import org.jspecify.annotations.NullMarked;
