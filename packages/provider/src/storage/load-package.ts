import { ConfigError } from '../errors.ts';

export interface PackageUse {
  /** The configuration key that names the package, for the error. */
  readonly key: string;
  /** The other way to get what the package has, for the error. Default: there is none. */
  readonly otherwise?: string;
}

/** Why a package can't be loaded and how to change that, by the code of the error. */
const importAdvice: Readonly<Record<string, (name: string, otherwise?: string) => string>> = {
  ERR_MODULE_NOT_FOUND: (name, otherwise) =>
    `is not installed. Run \`npm install ${name}\`${otherwise === undefined ? '' : `, or ${otherwise}`}.`,
  ERR_UNKNOWN_BUILTIN_MODULE: () =>
    `needs a later Node.js than ${process.version}: see \`engines\` in its package.json.`,
};

/**
 * Loads an optional package by name, so that only the chosen ones have to be installed.
 *
 * @throws ConfigError when it is not installed
 */
export const loadPackage = async (name: string, { key, otherwise }: PackageUse): Promise<unknown> => {
  try {
    return await import(name);
  } catch (cause) {
    const advise = importAdvice[(cause as NodeJS.ErrnoException).code ?? ''];
    if (advise === undefined) throw cause;
    throw new ConfigError([`${key}: the package ${name} ${advise(name, otherwise)}`]);
  }
};
