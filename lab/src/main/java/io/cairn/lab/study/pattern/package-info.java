/**
 * Models of checkpoint patterns that studies use and no training reaches: exact expected times of
 * blocking patterns under several assumptions, two-level models, and the waste of a periodic
 * checkpoint. Everything is a pure function of rates (failures per second) and times (seconds).
 *
 * <p>The model that trainings use is {@code io.cairn.core.pattern}'s. The simulator that checks all
 * models is {@code io.cairn.lab.study.failure}; neither side uses the other's code.
 */
@NullMarked
package io.cairn.lab.study.pattern;

import org.jspecify.annotations.NullMarked;
