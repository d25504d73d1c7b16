import { randomBytes, randomInt } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Choices } from '../choices/choices.ts';

/** Without letters and digits that look alike: a user reads and types the password. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 16 characters of 32: 80 bits. */
const password = (): string => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');

const secret = (): string => randomBytes(32).toString('base64url');

/** The name of the package: that of the folder, in the characters that npm accepts. */
export const projectName = (folder: string): string =>
  basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'carnet-app';

/** Replaces `{{secret}}` and `{{password}}` by new random values at each place, and the other names by their values. */
export const createFill = ({ folder, databaseUrl }: Choices): ((template: string) => string) => {
  const databasePassword = password();
  const values: Readonly<Record<string, () => string>> = {
    secret,
    password,
    name: () => projectName(folder),
    databasePassword: () => databasePassword,
    databaseUrl: () => databaseUrl ?? `postgres://carnet:${databasePassword}@127.0.0.1:5432/carnet`,
  };
  return (template) =>
    template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`There is no value for ${whole}`);
      return value();
    });
};
