@NullMarked
package io.cairn.examples;

import org.jspecify.annotations.NullMarked;
