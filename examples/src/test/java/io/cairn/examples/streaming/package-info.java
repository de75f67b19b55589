@NullMarked
package io.cairn.examples.streaming;

import org.jspecify.annotations.NullMarked;
