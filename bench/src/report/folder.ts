import { resolve } from 'node:path';

/** Resolves against the folder of the user's shell: npm runs the command in another one. */
export const folderOf = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
