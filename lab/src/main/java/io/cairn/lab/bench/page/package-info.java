/** {@code cairn-lab bench page}: how long the page of Spark's UI takes to be drawn. */
@NullMarked
package io.cairn.lab.bench.page;

import org.jspecify.annotations.NullMarked;
