/**
 * A small Spark application for proofs: its classes alone make the jar that is submitted. It uses
 * Cairn and Spark and nothing else, so whatever it lacks shows what is missing in an artifact.
 */
@NullMarked
package io.cairn.lab.toy;

import org.jspecify.annotations.NullMarked;
