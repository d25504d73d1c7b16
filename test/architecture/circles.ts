import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

/** The files that a file imports by relative path, types included. */
const targetsOf = ({ path, imports }: SourceFile): string[] =>
  imports.flatMap(({ specifier }) => (specifier?.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : []));

interface Visit {
  readonly index: number;
  lowest: number;
  isOnStack: boolean;
}

/**
 * The circles of imports between files, each with all files that reach each other (the strongly connected components of more
 * than one file, by Tarjan's algorithm). An import of a type counts: a reader of one file has to read the other one too.
 */
export const circles = (files: readonly SourceFile[]): string[][] => {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const visits = new Map<string, Visit>();
  const stack: string[] = [];
  const found: string[][] = [];

  const visit = (path: string): Visit => {
    const own: Visit = { index: visits.size, lowest: visits.size, isOnStack: true };
    visits.set(path, own);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      const known = visits.get(target);
      if (known === undefined) own.lowest = Math.min(own.lowest, visit(target).lowest);
      else if (known.isOnStack) own.lowest = Math.min(own.lowest, known.index);
    }
    if (own.lowest === own.index) {
      const members = stack.splice(stack.indexOf(path));
      for (const member of members) (visits.get(member) as Visit).isOnStack = false;
      if (members.length > 1) found.push(members.toSorted());
    }
    return own;
  };

  for (const { path } of files) if (!visits.has(path)) visit(path);
  return found;
};
