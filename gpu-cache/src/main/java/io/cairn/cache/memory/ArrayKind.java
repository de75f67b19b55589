package io.cairn.cache.memory;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** The numeric arrays, each with its bulk copy; indexes and counts are in elements. */
enum ArrayKind {
  BYTE(byte[].class, 1) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.bytes().put(to, (byte[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.bytes().get(from, (byte[]) array, to, count);
    }
  },
  SHORT(short[].class, 2) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.shorts().put(to, (short[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.shorts().get(from, (short[]) array, to, count);
    }
  },
  CHAR(char[].class, 2) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.chars().put(to, (char[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.chars().get(from, (char[]) array, to, count);
    }
  },
  INT(int[].class, 4) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.ints().put(to, (int[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.ints().get(from, (int[]) array, to, count);
    }
  },
  LONG(long[].class, 8) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.longs().put(to, (long[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.longs().get(from, (long[]) array, to, count);
    }
  },
  FLOAT(float[].class, 4) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.floats().put(to, (float[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.floats().get(from, (float[]) array, to, count);
    }
  },
  DOUBLE(double[].class, 8) {
    @Override
    void put(NativeSpan target, int to, Object array, int from, int count) {
      target.doubles().put(to, (double[]) array, from, count);
    }

    @Override
    void get(NativeSpan source, int from, Object array, int to, int count) {
      source.doubles().get(from, (double[]) array, to, count);
    }
  };

  private final Class<?> type;
  private final int elementBytes;

  ArrayKind(Class<?> type, int elementBytes) {
    this.type = type;
    this.elementBytes = elementBytes;
  }

  /** The kind of an array, or null if the object is none of them. */
  static @Nullable ArrayKind of(Object memory) {
    for (ArrayKind kind : values()) {
      if (kind.type.isInstance(memory)) {
        return kind;
      }
    }
    return null;
  }

  int elementBytes() {
    return elementBytes;
  }

  int length(Object array) {
    return Array.getLength(array);
  }

  abstract void put(NativeSpan target, int to, Object array, int from, int count);

  abstract void get(NativeSpan source, int from, Object array, int to, int count);
}
