/**
 * {@code cairn-lab reproduce}: published tables and figures, computed again by {@code
 * io.cairn.core} and laid beside what the papers print, as CSV, pictures and one page. The printed
 * figures stand in a resource, {@code published.json}, with its source. No model lives here.
 */
@NullMarked
package io.cairn.lab.study.reproduce;

import org.jspecify.annotations.NullMarked;
