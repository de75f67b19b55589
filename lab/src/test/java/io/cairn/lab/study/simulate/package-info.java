/** Tests of {@code simulate trace}: small traces by hand, the shipped ones as users call it. */
@NullMarked
package io.cairn.lab.study.simulate;

import org.jspecify.annotations.NullMarked;
