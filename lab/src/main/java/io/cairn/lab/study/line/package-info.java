/** The frame of commands that answer JSON lines. The commands live with their subject. */
@NullMarked
package io.cairn.lab.study.line;

import org.jspecify.annotations.NullMarked;
