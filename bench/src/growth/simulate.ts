import type { SweepCost } from './costs.ts';
import type { KindForecast } from './forecast.ts';

const minutesPerDay = 1_440;
const batchRows = 1_000;

/** Load of each minute of a day relative to the average, by a smooth curve with the given peak. */
export const dayCurve = (peakFactor: number): readonly number[] => {
  const shape = (steepness: number): readonly number[] => {
    const values = Array.from({ length: minutesPerDay }, (_, minute) =>
      Math.exp(steepness * Math.cos((2 * Math.PI * minute) / minutesPerDay - Math.PI)),
    );
    const mean = values.reduce((total, value) => total + value, 0) / minutesPerDay;
    return values.map((value) => value / mean);
  };
  let [low, high] = [0, 100];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (Math.max(...shape(middle)) < peakFactor) low = middle;
    else high = middle;
  }
  return shape(low);
};

/** How a process sweeps. */
export interface SweepPolicy {
  readonly name: string;
  /** Seconds between two sweeps, on average. */
  readonly intervalSeconds: number;
  /** Batches of one sweep; then the process waits for the interval. */
  readonly mostBatches: number;
  /** Whether each batch begins at the first entry of the index, removed rows included, or only the first one of a sweep. */
  readonly beginsAtFirstEntry: boolean;
}

/** The timed sweep: until nothing is left, each batch behind the last. */
export const currentPolicy: SweepPolicy = {
  name: 'now',
  intervalSeconds: 67.5,
  mostBatches: Number.POSITIVE_INFINITY,
  beginsAtFirstEntry: false,
};

/** Its limits before: 50 batches each minute, each from the first entry of the index. */
export const earlierPolicy: SweepPolicy = {
  name: 'before',
  intervalSeconds: 67.5,
  mostBatches: 50,
  beginsAtFirstEntry: true,
};

export interface SimulationInput {
  readonly kinds: readonly KindForecast[];
  readonly days: number;
  readonly peakFactor: number;
  /** Processes that sweep. */
  readonly processes: number;
  readonly sweep: SweepCost;
  readonly policy: SweepPolicy;
  /** A vacuum begins when so many removed rows for each row alive wait for it. */
  readonly deadShare: number;
  /** The speed of a vacuum, over the heap and all indexes. */
  readonly vacuumBytesPerSecond: number;
}

export interface Simulation {
  readonly rowsAlive: number;
  /** The most expired rows that waited for the sweep on the last day. */
  readonly backlog: number;
  /** The most removed rows that waited for the vacuum. */
  readonly deadRows: number;
  readonly vacuums: number;
  /** The most that heap and indexes took. */
  readonly diskBytes: number;
  /** Whether the backlog on the last day was less than what expires in an hour at the peak. */
  readonly keepsUp: boolean;
}

/** The deadline of a call to the store (`timeout`). */
const deadlineSeconds = 5;

/** Rows that the processes can remove in a minute, with so many removed rows in the index. */
const capacityOf = ({ processes, policy, sweep }: SimulationInput, deadRows: number): number => {
  const scanSeconds = deadRows * sweep.secondsPerDeadRow;
  if (policy.beginsAtFirstEntry && scanSeconds + sweep.batchSeconds > deadlineSeconds) return 0;
  // A process pauses after a batch for as long as it took.
  const batchSeconds = 2 * (sweep.batchSeconds + (policy.beginsAtFirstEntry ? scanSeconds : 0));
  // The first batch of each sweep begins at the first entry. If that takes too long, the next one does not.
  const busySeconds = 60 - (policy.beginsAtFirstEntry ? 0 : 2 * Math.min(scanSeconds, deadlineSeconds));
  const batches = Math.min(
    busySeconds / batchSeconds,
    policy.mostBatches === Number.POSITIVE_INFINITY
      ? Number.POSITIVE_INFINITY
      : (policy.mostBatches * 60) / (policy.intervalSeconds + policy.mostBatches * batchSeconds),
  );
  return processes * batchRows * batches;
};

/** Rows that expire in each minute, of all kinds: as many as were written a lifetime earlier. */
const expiryOf = ({ kinds, peakFactor }: SimulationInput) => {
  const curve = dayCurve(peakFactor);
  const written = (rowsPerSecond: number, minute: number): number =>
    minute < 0 ? 0 : 60 * rowsPerSecond * (curve[minute % minutesPerDay] as number);
  return (minute: number) => ({
    written: kinds.reduce((total, { rowsPerSecond }) => total + written(rowsPerSecond, minute), 0),
    expired: kinds.reduce(
      (total, { rowsPerSecond, lifetimeSeconds }) =>
        total + written(rowsPerSecond, minute - Math.round(lifetimeSeconds / 60)),
      0,
    ),
  });
};

/** Begins with an empty table and computes minute by minute which rows are alive, expired, removed and vacuumed. */
export const simulate = (input: SimulationInput): Simulation => {
  const { kinds, days, deadShare, vacuumBytesPerSecond } = input;
  const flow = expiryOf(input);
  const rate = kinds.reduce((total, each) => total + each.rowsPerSecond * each.lifetimeSeconds, 0);
  const meanBytes = kinds.reduce((total, each) => total + each.rowsAlive * each.bytesPerRow, 0) / rate;
  let [alive, waiting, dead, pages, vacuums] = [0, 0, 0, 0, 0];
  let vacuum: { readonly endsAt: number; readonly covers: number } | undefined;
  let [backlog, mostDead] = [0, 0];
  for (let minute = 0; minute < days * minutesPerDay; minute++) {
    const { written, expired } = flow(minute);
    alive += written - expired;
    waiting += expired;
    const removed = Math.min(waiting, capacityOf(input, dead));
    waiting -= removed;
    dead += removed;
    // The file never gets smaller: a vacuum makes room for new rows in it.
    pages = Math.max(pages, alive + waiting + dead);
    if (vacuum === undefined && dead > deadShare * (alive + waiting)) {
      const minutes = (pages * meanBytes) / vacuumBytesPerSecond / 60;
      vacuum = { endsAt: minute + minutes, covers: dead };
    }
    if (vacuum !== undefined && minute >= vacuum.endsAt) {
      dead -= vacuum.covers;
      vacuum = undefined;
      vacuums += 1;
    }
    mostDead = Math.max(mostDead, dead);
    if (minute >= (days - 1) * minutesPerDay) backlog = Math.max(backlog, waiting);
  }
  const hourAtPeak = kinds.reduce((total, each) => total + each.rowsPerSecond, 0) * input.peakFactor * 3_600;
  return {
    rowsAlive: alive,
    backlog,
    deadRows: mostDead,
    vacuums,
    diskBytes: pages * meanBytes,
    keepsUp: backlog < hourAtPeak,
  };
};
