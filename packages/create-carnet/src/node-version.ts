import { UsageError } from './choices/choices.ts';

/**
 * A created app is TypeScript that Node.js runs as it is.
 *
 * @param version such as `22.18.0`
 * @throws UsageError if the app would not start on this version
 */
export const assertNodeVersion = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return;
  throw new UsageError(`The created app needs Node.js 22.18 or later, and this is ${version}. Install a newer one.`);
};
