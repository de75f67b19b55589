@NullMarked
package io.cairn.lab.measure;

import org.jspecify.annotations.NullMarked;
