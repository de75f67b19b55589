@NullMarked
package io.cairn.lab.study.pattern;

import org.jspecify.annotations.NullMarked;
