import type { Frame } from './cpu-profile.ts';

export type OriginKind = 'ours' | 'package' | 'node' | 'engine';

/** The origin of a frame's code. */
export interface Origin {
  readonly kind: OriginKind;
  /** A folder of this repository, a package, a module of Node, or work of the engine itself. */
  readonly name: string;
}

/** Names in profiles that are no functions. */
const engineParts: ReadonlySet<string> = new Set(['(program)', '(garbage collector)']);

/** The folder below `src`, or else the package. */
const ourFolder = (path: string): string => path.replace(/\/[^/]+$/, '').replace('/src', '');

export const originOf = ({ name, url }: Pick<Frame, 'name' | 'url'>): Origin => {
  // A path may have several (pnpm has two): the innermost names the package.
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (installed !== undefined) return { kind: 'package', name: installed };
  const [, ours] = /\/packages\/(.+)$/.exec(url) ?? [];
  if (ours !== undefined) return { kind: 'ours', name: ourFolder(ours) };
  if (url.startsWith('node:')) return { kind: 'node', name: url.split('/').slice(0, 2).join('/') };
  return { kind: 'engine', name: engineParts.has(name) ? name : 'built-in functions' };
};

export interface SelfTime {
  readonly name: string;
  readonly microseconds: number;
}

/** Self time, grouped by `nameOf`, the most expensive first. */
export const sumSelfTimes = (root: Frame, nameOf: (frame: Frame) => string): readonly SelfTime[] => {
  const sums = new Map<string, number>();
  const visit = (frame: Frame): void => {
    if (frame.self > 0) {
      const name = nameOf(frame);
      sums.set(name, (sums.get(name) ?? 0) + frame.self);
    }
    for (const callee of frame.callees.values()) visit(callee);
  };
  visit(root);
  return [...sums]
    .map(([name, microseconds]) => ({ name, microseconds }))
    .sort((one, other) => other.microseconds - one.microseconds);
};

/** The most expensive parts of a scenario. */
export interface ProfileSummary {
  readonly scenario: string;
  readonly target: string;
  /** Shares of the CPU time, the greatest first. */
  readonly parts: readonly { readonly name: string; readonly share: number }[];
}

const mostParts = 12;

/** By package and folder; functions of the engine by their own names. */
export const greatestParts = (root: Frame): ProfileSummary['parts'] =>
  sumSelfTimes(root, (frame) => {
    const { kind, name } = originOf(frame);
    return kind === 'engine' ? frame.name : name;
  })
    .slice(0, mostParts)
    .map(({ name, microseconds }) => ({ name, share: microseconds / root.total }));
