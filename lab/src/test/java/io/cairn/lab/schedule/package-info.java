/** Tests of {@code schedule}: as users call it, and against lines that mean harm. */
@NullMarked
package io.cairn.lab.schedule;

import org.jspecify.annotations.NullMarked;
