/**
 * Means of measuring that several benchmarks share: samples of durations, scratch directories, and
 * a description of the machine. No benchmark lives here.
 */
@NullMarked
package io.cairn.lab.measure;

import org.jspecify.annotations.NullMarked;
