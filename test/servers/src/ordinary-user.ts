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

/** Whom Postgres runs as, since it refuses root; `undefined`: ourselves. */
export const ordinaryUser = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const user = findUser('postgres') ?? findUser('nobody');
  if (user === undefined)
    throw new Error('Postgres refuses to run as root, and there is no user `postgres` or `nobody`.');
  return user;
};
