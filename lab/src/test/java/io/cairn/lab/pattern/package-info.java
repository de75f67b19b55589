@NullMarked
package io.cairn.lab.pattern;

import org.jspecify.annotations.NullMarked;
