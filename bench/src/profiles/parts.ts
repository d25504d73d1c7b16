import type { Frame } from './cpu-profile.ts';

/** The parts of a request's CPU time, each with the files whose code belongs to it. The first that matches counts. */
const parts: readonly (readonly [part: string, code: RegExp])[] = [
  ['signatures', /provider\/src\/keys\/signing\//],
  ['state codec', /provider\/src\/flow\/state-codec/],
  ['sealing and opening', /provider\/src\/flow\/(?:envelope|key-ring)/],
  ['log lines', /provider\/src\/telemetry\/(?:logger|redact|gather-lines)|node_modules\/pino\b/],
  ['metrics and audit', /provider\/src\/telemetry\/|provider\/src\/endpoints\/audit/],
  ['zod', /node_modules\/zod\b/],
  ['oidc-provider', /node_modules\/oidc-provider\b/],
  ['pg', /node_modules\/pg[-/]/],
  ['storage', /packages\/adapter-|provider\/src\/storage\//],
  ['clients', /provider\/src\/clients\//],
  ['flow and decisions', /provider\/src\/(?:flow|interaction|requests|headless)\//],
  ['tokens and grants', /provider\/src\/(?:grants|tokens|consents|sessions|hooks)\//],
  ['endpoints and routing', /provider\/src\/(?:endpoints|http|admin|assembly)\/|node_modules\/find-my-way\b/],
  ['listener', /packages\/cli\/src\//],
  ['distribution to workers', /^node:internal\/(?:cluster|child_process)/],
  ['HTTP in', /^node:_http_(?:server|incoming)|^node:internal\/stream_base/],
  ['HTTP out', /^node:_http_outgoing/],
  ['sockets and streams', /^node:(?:net|internal\/streams)/],
  ['timers and promises', /^node:internal\/(?:process|timers|async)|^node:async_hooks/],
];

const collector = 'garbage collection';
const unattributed = 'not attributed';

const partOf = ({ name, url }: Frame): string | undefined => {
  if (name === '(garbage collector)') return collector;
  return parts.find(([, code]) => code.test(url))?.[0];
};

/**
 * The CPU time of each part, as a share of all, the greatest first. A function that belongs to no part, such as one of V8 or of
 * a small module of Node, counts for the part that called it.
 */
export const sharesOfParts = (root: Frame): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  const visit = (frame: Frame, caller: string): void => {
    const part = partOf(frame) ?? caller;
    sums.set(part, (sums.get(part) ?? 0) + frame.self);
    for (const callee of frame.callees.values()) visit(callee, part);
  };
  visit(root, unattributed);
  return new Map([...sums].sort(([, one], [, other]) => other - one).map(([part, sum]) => [part, sum / root.total]));
};
