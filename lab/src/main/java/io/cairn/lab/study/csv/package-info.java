/** Reading CSV files within bounds. The meaning of a row belongs to the command that reads it. */
@NullMarked
package io.cairn.lab.study.csv;

import org.jspecify.annotations.NullMarked;
