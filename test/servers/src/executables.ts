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

const findInstalled = (command: string): string | undefined =>
  findOnPath(command) ?? [`/usr/sbin/${command}`, `/usr/bin/${command}`].find(isExecutable);

export const hasProgram = (command: string): boolean => findInstalled(command) !== undefined;

/** The path of a program of the system, which may be for administrators. @throws Error that says how to install it */
export const findProgram = (command: string, install: string): string => {
  const found = findInstalled(command);
  if (found === undefined) throw new Error(`The tests need \`${command}\`: install ${install}.`);
  return found;
};
