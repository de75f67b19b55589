/** Tests of the demonstration's parts. */
@NullMarked
package io.cairn.examples.demo;

import org.jspecify.annotations.NullMarked;
