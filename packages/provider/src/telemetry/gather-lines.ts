import type { DestinationStream } from 'pino';

/** So much is not held back, however long a turn lasts. Characters. */
const maxLength = 65_536;

export interface GatheredLines extends DestinationStream {
  /** Writes what is there now. pino calls it after a fatal line. */
  flushSync(): void;
}

/**
 * Writes the lines of one turn of the event loop at once: a system call for each would cost more than all else of them.
 * What is killed outright (SIGKILL) loses the lines of its last turn; whatever else ends the process has it write them.
 */
export const gatherLines = (destination: DestinationStream): GatheredLines => {
  let lines = '';
  const flushSync = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') destination.write(text);
  };
  // Also after an exception that nobody has caught.
  process.once('exit', flushSync);
  return {
    write(line) {
      if (lines === '') setImmediate(flushSync);
      lines += line;
      if (lines.length > maxLength) flushSync();
    },
    flushSync,
  };
};
