import type { DestinationStream } from 'pino';

/**
 * So much is written at once: more of it a pipe may take in parts, between which another process writes its own
 * (`PIPE_BUF`). A line that is longer goes by itself.
 */
const maxBytes = 4_096;

export interface GatheredLines extends DestinationStream {
  /** Writes what is there now. pino calls it after a fatal line. */
  flushSync(): void;
}

/**
 * Writes the lines of one turn of the event loop at once, because a system call for each line would cost more than
 * creating
 * it. A process that is killed (SIGKILL, or a signal without a handler) loses the lines of its last turn. On every
 * other
 * exit they are flushed.
 */
export const gatherLines = (destination: DestinationStream): GatheredLines => {
  let lines = '';
  let sizeBytes = 0;
  const flushSync = (): void => {
    const text = lines;
    lines = '';
    sizeBytes = 0;
    if (text !== '') destination.write(text);
  };
  // Also called after an uncaught exception.
  process.once('exit', flushSync);
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line);
      if (sizeBytes + lineBytes > maxBytes) flushSync();
      if (lines === '') setImmediate(flushSync);
      lines += line;
      sizeBytes += lineBytes;
    },
    flushSync,
  };
};
