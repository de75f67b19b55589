@NullMarked
package io.cairn.lab.submit;

import org.jspecify.annotations.NullMarked;
