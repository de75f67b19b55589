@NullMarked
package io.cairn.examples.trouble;

import org.jspecify.annotations.NullMarked;
