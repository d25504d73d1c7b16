import type { DestinationStream } from 'pino';

/**
 * The largest write: a pipe may split a larger one, so that lines of another process get between its parts (`PIPE_BUF`). A longer
 * line is written on its own.
 */
const maxBytes = 4_096;

/**
 * Writes the lines of one turn of the event loop at once, because a system call for each line would cost more than
 * creating it. A process that is killed (SIGKILL, or a signal without a handler) loses the lines of its last turn. On
 * every other exit they are flushed.
 */
export const gatherLines = (destination: DestinationStream) => {
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
    write(line: string): void {
      const lineBytes = Buffer.byteLength(line);
      if (sizeBytes + lineBytes > maxBytes) flushSync();
      if (lines === '') setImmediate(flushSync);
      lines += line;
      sizeBytes += lineBytes;
    },
    /** Writes the buffered lines. pino calls it after a fatal line. */
    flushSync,
  };
};
