package io.cairn.flush.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * A Hadoop file system with the semantics of an object store, over local files: no rename, no sync,
 * an object that appears whole when its stream is closed, and conditional puts. Faults of puts are
 * set for all instances, since each store makes its own.
 */
public class ObjectFileSystem extends RawLocalFileSystem {
  /** Happens to the puts that follow, of names that end in a text. */
  record Fault(String suffix, boolean takesEffect, boolean later) {}

  private static final Fault NONE = new Fault("", true, false);

  private static volatile Fault fault = NONE;
  private static volatile Runnable late = () -> {};

  private final String scheme;
  private final boolean conditional;

  /** Made by Hadoop. */
  public ObjectFileSystem() {
    this("objects", true);
  }

  ObjectFileSystem(String scheme, boolean conditional) {
    this.scheme = scheme;
    this.conditional = conditional;
  }

  /** A configuration that knows these file systems. */
  public static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.objects.impl", ObjectFileSystem.class, RawLocalFileSystem.class);
    conf.setClass("fs.unconditional.impl", Unconditional.class, RawLocalFileSystem.class);
    conf.setClass("fs.lying.impl", Lying.class, RawLocalFileSystem.class);
    return conf;
  }

  /** Puts of names that end in {@code suffix} take effect, and their replies are lost. */
  static void loseReplies(String suffix) {
    fault = new Fault(suffix, true, false);
  }

  /** Puts of names that end in {@code suffix} fail, and take effect in {@link #deliver}. */
  static void delay(String suffix) {
    fault = new Fault(suffix, false, true);
  }

  /** Ends all faults. */
  static void heal() {
    fault = NONE;
    late = () -> {};
  }

  /** The put that was delayed last takes effect, if its name is absent. */
  static void deliver() {
    late.run();
  }

  @Override
  public URI getUri() {
    return URI.create(scheme + ":///");
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return capability.equals(CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE)
        ? conditional
        : super.hasPathCapability(path, capability);
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw new UnsupportedOperationException("an object store has no rename");
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
    return new Builder(this, path);
  }

  private FSDataOutputStream put(Path path) throws IOException {
    return new FSDataOutputStream(new Put(path), statistics);
  }

  private static final class Builder
      extends FSDataOutputStreamBuilder<FSDataOutputStream, Builder> {
    private final ObjectFileSystem objects;

    Builder(ObjectFileSystem objects, Path path) {
      super(objects, path);
      this.objects = objects;
    }

    @Override
    public Builder getThisBuilder() {
      return this;
    }

    @Override
    public FSDataOutputStream build() throws IOException {
      if (!getMandatoryKeys()
          .contains(CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE)) {
        throw new IOException("a put that replaces what is there");
      }
      return objects.put(getPath());
    }
  }

  /** Collects an object's bytes. */
  private final class Put extends ByteArrayOutputStream implements Abortable, StreamCapabilities {
    private final Path path;
    private boolean closed;

    Put(Path path) {
      this.path = path;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      Fault now =
          fault.suffix().isEmpty() || !path.getName().endsWith(fault.suffix()) ? NONE : fault;
      if (now.takesEffect()) {
        take();
      }
      if (now.later()) {
        late = this::takeLate;
      }
      if (!now.equals(NONE)) {
        throw new PathIOException(path.toString(), "connection reset");
      }
    }

    @Override
    public AbortableResult abort() {
      closed = true;
      return new AbortableResult() {
        @Override
        public boolean alreadyClosed() {
          return false;
        }

        @Override
        public @Nullable IOException anyCleanupException() {
          return null;
        }
      };
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(CommonPathCapabilities.ABORTABLE_STREAM);
    }

    private void takeLate() {
      try {
        take();
      } catch (IOException e) {
        // refused as any other
      }
    }

    private void take() throws IOException {
      java.nio.file.Path file = pathToFile(path).toPath();
      mkdirs(path.getParent());
      java.nio.file.Path whole = Files.createTempFile("put", "");
      try {
        Files.write(whole, toByteArray());
        show(whole, file);
      } catch (FileAlreadyExistsException e) {
        throw new PathIOException(path.toString(), "412 precondition failed");
      } finally {
        Files.deleteIfExists(whole);
      }
    }
  }

  /** In one step, and only if the name is absent. */
  void show(java.nio.file.Path whole, java.nio.file.Path file) throws IOException {
    Files.createLink(file, whole);
  }

  /** Has no conditional puts. */
  public static final class Unconditional extends ObjectFileSystem {
    /** Made by Hadoop. */
    public Unconditional() {
      super("unconditional", false);
    }
  }

  /** Claims conditional puts, and replaces what is there. */
  public static final class Lying extends ObjectFileSystem {
    /** Made by Hadoop. */
    public Lying() {
      super("lying", true);
    }

    @Override
    void show(java.nio.file.Path whole, java.nio.file.Path file) throws IOException {
      Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
