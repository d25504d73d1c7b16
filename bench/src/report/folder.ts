import { resolve } from 'node:path';

/** As whoever typed it means it: npm runs the command in a folder of its own. */
export const folderOf = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
