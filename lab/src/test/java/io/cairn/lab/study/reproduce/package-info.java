/** Tests of {@code cairn-lab reproduce}, against values that were computed elsewhere. */
@NullMarked
package io.cairn.lab.study.reproduce;

import org.jspecify.annotations.NullMarked;
