/** Tests of {@code schedule}: as users call it, and against lines that mean harm. */
@NullMarked
package io.cairn.lab.study.schedule;

import org.jspecify.annotations.NullMarked;
