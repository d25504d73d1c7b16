import { existsSync, writeFileSync } from 'node:fs';

export interface NewFile {
  readonly path: string;
  readonly content: string;
  /** `0o600` for secrets: only this user can read the file. */
  readonly mode: number;
}

/** @throws Error if one of the files exists; then none is written */
export const writeNewFiles = (files: readonly NewFile[]): void => {
  const advice = 'already exists; move it away or choose another name';
  for (const { path } of files) if (existsSync(path)) throw new Error(`${path} ${advice}.`);
  for (const { path, content, mode } of files) {
    try {
      // `wx` checks and creates in one step, so that a file in use is never overwritten. The mode holds from the first byte.
      writeFileSync(path, content, { mode, flag: 'wx' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`${path} ${code === 'EEXIST' ? advice : `can't be written (${code})`}.`, { cause: error });
    }
  }
};
