import { ConfigError } from '../errors.ts';

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
 * @param use for the error: the configuration key that names the package, and the other way to get what the package has
 * @throws ConfigError when it is not installed
 */
export const loadPackage = async (
  name: string,
  use: { readonly key: string; readonly otherwise?: string },
): Promise<unknown> => {
  try {
    return await import(name);
  } catch (cause) {
    const advise = importAdvice[(cause as NodeJS.ErrnoException).code ?? ''];
    if (advise === undefined) throw cause;
    throw new ConfigError([`${use.key}: the package ${name} ${advise(name, use.otherwise)}`]);
  }
};
