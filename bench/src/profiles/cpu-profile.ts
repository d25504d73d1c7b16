/** The members of V8's profile (`Profiler.Profile` of the DevTools protocol) that are used here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A function called from one place, with its callees. */
export interface Frame {
  readonly name: string;
  readonly url: string;
  /** Microseconds. */
  self: number;
  total: number;
  readonly callees: Map<string, Frame>;
}

const createFrame = (name: string, url: string): Frame => ({ name, url, self: 0, total: 0, callees: new Map() });

const selfTimes = ({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> => {
  const times = new Map<number, number>();
  samples.forEach((id, index) => {
    // The time until the next sample is attributed to this one.
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[index + 1] ?? 0));
  });
  return times;
};

const addProfile = (root: Frame, profile: CpuProfile): void => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const times = selfTimes(profile);
  const add = (into: Frame, id: number): number => {
    const { callFrame, children = [] } = nodes.get(id) as ProfileNode;
    const { functionName, url, lineNumber } = callFrame;
    // Waiting for work is no CPU time.
    if (functionName === '(idle)') return 0;
    const key = `${functionName} ${url} ${lineNumber}`;
    const frame = into.callees.get(key) ?? createFrame(functionName || '(anonymous)', url);
    into.callees.set(key, frame);
    const self = times.get(id) ?? 0;
    const total = children.reduce((sum, child) => sum + add(frame, child), self);
    frame.self += self;
    frame.total += total;
    return total;
  };
  const [top] = profile.nodes;
  for (const child of top?.children ?? []) root.total += add(root, child);
};

/** The profiles of several processes as one. */
export const mergeProfiles = (profiles: readonly CpuProfile[]): Frame => {
  const root = createFrame('all', '');
  for (const profile of profiles) addProfile(root, profile);
  return root;
};
