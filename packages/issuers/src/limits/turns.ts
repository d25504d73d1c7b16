import { performance } from 'node:perf_hooks';
import { CarnetError } from '@carnet/provider/config';
import type { Eventually, Issuer } from '../ports.ts';

/** How many requests of one issuer are in progress while it has to wait. Those of other issuers wait behind them only. */
const mostInProgress = 4;
/** Further requests of one issuer are refused. */
const mostWaiting = 1_000;
/** The share of time in which the event loop had work. */
const busyShare = 0.8;
const measureMs = 100;
/**
 * A request has its place so long at most: slow request bodies, which a client need never complete, would keep all places of an
 * issuer from its users.
 */
const longestInPlaceMs = 200;
/** Issuers compete if two of them had a request within this time. */
const competeMs = 1_000;

/** Whether the event loop has had little idle time lately. It is measured at most every 100 ms. */
const createBusy = () => {
  let before = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let isBusy = false;
  return (now: number): boolean => {
    if (now - measuredAt < measureMs) return isBusy;
    const current = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(current, before).utilization > busyShare;
    before = current;
    measuredAt = now;
    return isBusy;
  };
};

interface Line {
  inProgress: number;
  isWatched: boolean;
  readonly waiting: ((end: () => void) => void)[];
}

const tooMany = (): CarnetError =>
  new CarnetError('too_busy', 'Too many requests of this issuer are waiting. Try again in a moment.');

/**
 * While the process is busy and several issuers have requests, each has a few in progress, and its others wait. The requests of
 * an issuer are thus not delayed by how many another one gets. Otherwise no request waits. `isBusy` is for tests.
 */
export const createTurns = (isBusy = createBusy()) => {
  const lines = new WeakMap<Issuer, Line>();
  let last: Issuer | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  const mustWait = (now: number): boolean => now - changedAt < competeMs && isBusy(now);

  /** Gives a request its place. Returns the function that ends it, and may be called again. */
  const enter = (line: Line): (() => void) => {
    let isOver = false;
    const leave = (): void => {
      line.inProgress -= 1;
      start(line);
    };
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // A request that waits for nothing ends before the process has read those of other issuers.
      if (mustWait(performance.now())) setImmediate(leave);
      else leave();
    };
    const timer = setTimeout(end, longestInPlaceMs).unref();
    line.inProgress += 1;
    return end;
  };
  const start = (line: Line): void => line.waiting.shift()?.(enter(line));
  /** The requests in progress may wait for another server, while the process is not busy any more. */
  const watch = (line: Line): void => {
    line.isWatched = true;
    setTimeout(() => {
      while (line.waiting.length > 0 && !mustWait(performance.now())) start(line);
      if (line.waiting.length > 0) watch(line);
      else line.isWatched = false;
    }, measureMs).unref();
  };

  /**
   * Begins a request of an issuer. Returns the function that ends it.
   *
   * @throws CarnetError `too_busy` if too many wait
   */
  return (issuer: Issuer): Eventually<() => void> => {
    const now = performance.now();
    if (issuer !== last) {
      if (last !== undefined) changedAt = now;
      last = issuer;
    }
    const line = lines.get(issuer) ?? { inProgress: 0, isWatched: false, waiting: [] };
    lines.set(issuer, line);
    if (line.inProgress < mostInProgress || !mustWait(now)) return enter(line);
    if (line.waiting.length >= mostWaiting) throw tooMany();
    if (!line.isWatched) watch(line);
    return new Promise((resolve) => line.waiting.push(resolve));
  };
};

export type Turns = ReturnType<typeof createTurns>;
