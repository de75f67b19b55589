/**
 * Proofs by command: trainings that end and resume, compared bit for bit with undisturbed ones. A
 * control leaves one part of the state out of a restore, and the comparison must notice it.
 */
@NullMarked
package io.cairn.lab.prove;

import org.jspecify.annotations.NullMarked;
