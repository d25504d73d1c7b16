/** The oldest Node.js that has `node:sqlite`: the `engines` of package.json, which npm only warns about. */
export const oldestNode = '22.16.0';

/** Why the command cannot run on this version of Node.js, and what to do; undefined if it can. */
export const nodeProblem = (version: string): string | undefined => {
  const isOlder = version.localeCompare(oldestNode, 'en', { numeric: true }) < 0;
  return isOlder
    ? `carnet needs Node.js ${oldestNode} or later, and this is ${version}. Install a newer one, or put it first in PATH.`
    : undefined;
};
