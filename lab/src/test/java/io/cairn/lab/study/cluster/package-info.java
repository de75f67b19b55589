@NullMarked
package io.cairn.lab.study.cluster;

import org.jspecify.annotations.NullMarked;
