import { execFileSync } from 'node:child_process';

/** For `spawn`. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

const findUser = (name: string): User | undefined => {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
};

/** The user for a server that must not run as root: the first of these names that exists; `undefined`: this process is not root. */
export const ordinaryUser = (...names: readonly string[]): User | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const user = names.map(findUser).find((found) => found !== undefined);
  if (user === undefined) throw new Error(`The server must not run as root. Create the user ${names.join(' or ')}.`);
  return user;
};
