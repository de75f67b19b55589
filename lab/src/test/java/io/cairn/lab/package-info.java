@NullMarked
package io.cairn.lab;

import org.jspecify.annotations.NullMarked;
