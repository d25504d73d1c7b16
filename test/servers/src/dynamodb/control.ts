import type { ControlCommand } from '../controlled-server.ts';

/** How a test makes the server fail. */
export interface Fault {
  readonly operation: string;
  /** The name of the error, such as `ThrottlingException`; `none` breaks the connection instead. */
  readonly type: string;
  /** 400 without it. */
  readonly status?: number;
  /** How many calls of the operation fail; 1 without it. */
  readonly times?: number;
  /** Whether the call takes effect, and its answer is lost only. */
  readonly applied?: boolean;
  /** The code of each action of a cancelled transaction. */
  readonly reason?: string;
}

/** Request units as https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html has them. */
export interface Statistics {
  readonly pid: number;
  /** Requests of each operation since the start, refused ones included. */
  readonly calls: Readonly<Record<string, number>>;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** The sizes of the items that the last transaction has put, in bytes. */
  readonly lastPut: readonly number[];
}

export type Command = ControlCommand<Fault>;

export const controlPath = '/carnet-test-control';

export const sendControl = async (port: number, command: Command, withinMs = 5_000): Promise<Statistics> => {
  const answer = await fetch(`http://127.0.0.1:${port}${controlPath}`, {
    method: 'POST',
    body: JSON.stringify(command),
    signal: AbortSignal.timeout(withinMs),
  });
  return (await answer.json()) as Statistics;
};
