import { open } from 'node:fs/promises';
import type { Surface } from './command.ts';

/** Opens the file at the first line, because a reader loses the lines that come before it is asked. */
export async function* linesOf(file: string, surface: Surface): AsyncGenerator<string> {
  if (file === '-') return yield* ((await surface.in?.()) ?? '').split('\n');
  const opened = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} can't be read (${error.code}).`);
  });
  yield* opened.readLines();
}
