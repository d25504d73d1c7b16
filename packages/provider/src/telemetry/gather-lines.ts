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
 * Writes the lines of one turn of the event loop at once: a system call for each would cost more than all else of them.
 * What is killed outright (SIGKILL, or a signal that nobody listens to) loses the lines of its last turn; whatever else
 * ends the process has it write them.
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
  // Also after an exception that nobody has caught.
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
