import type { SourceFile } from './source-file.ts';

const maxFileLines = 255;
const maxFunctionLines = 60;

/** Generated: one line for each key of the configuration. */
const generatedFiles: ReadonlySet<string> = new Set(['packages/provider/src/config/config-input.ts']);

/** A route table registers many things in one function. */
const isRouteTable = (name: string): boolean => name === 'table' || name.endsWith('Routes');

/** Functions that are still too long. The list only shrinks. */
const knownLongFunctions: ReadonlySet<string> = new Set([
  'adoptClients',
  'createBackchannelRequests',
  'createConfiguration',
  'createConsents',
  'createLogoutMiddleware',
  'createOidc',
]);

/** Files and functions that are too long. */
export const tooLong = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, lines, functions }) => [
    ...(lines > maxFileLines && !generatedFiles.has(path)
      ? [`${path} has ${lines} lines, more than ${maxFileLines}`]
      : []),
    ...functions
      .filter((each) => each.lines > maxFunctionLines && !isRouteTable(each.name) && !knownLongFunctions.has(each.name))
      .map((each) => `${each.name} in ${path} has ${each.lines} lines, more than ${maxFunctionLines}`),
  ]);
