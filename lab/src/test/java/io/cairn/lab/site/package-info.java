@NullMarked
package io.cairn.lab.site;

import org.jspecify.annotations.NullMarked;
