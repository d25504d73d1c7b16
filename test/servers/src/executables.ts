import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a command, links not followed: Redis decides by its name what to be. */
export const findOnPath = (command: string): string | undefined => {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command));
  return paths.find(isExecutable);
};
