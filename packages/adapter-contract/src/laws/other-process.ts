import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Conflict, ConflictReason, OpenAdapter, StorageAdapter, Write } from '../port.ts';

const calls = ['read', 'commit', 'list', 'scan', 'sweep', 'ping', 'close'] as const;

interface Request {
  readonly id: number;
  readonly call: (typeof calls)[number];
  readonly args: readonly unknown[];
}

/** An error without its class: Carnet uses its name and message. */
interface Failure {
  readonly name: string;
  readonly message: string;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: Failure;
}

/** An adapter in another process, which the test can kill. */
export interface OtherProcess extends StorageAdapter {
  /** `kill -9`: every call under way rejects. */
  kill(): Promise<void>;
}

const toFailure = ({ name, message }: Error): Failure => ({ name, message });
const toError = ({ name, message }: Failure): Error => Object.assign(new Error(message), { name });

/** A conflict has the write that the caller passed, not a copy: the message has its index. */
interface SentConflict {
  readonly at: number;
  readonly reason: ConflictReason;
}

const carryOut = async (adapter: StorageAdapter, { call, args }: Request): Promise<unknown> => {
  const result = await (adapter[call] as (...args: readonly unknown[]) => unknown)(...args);
  if (call !== 'commit' || result === undefined) return result;
  const { write, reason } = result as Conflict;
  return { at: (args[0] as readonly Write[]).indexOf(write), reason } satisfies SentConflict;
};

/**
 * The program of the other process imports it by the text below. It ends when the test ends it, or when the process of the test
 * has ended.
 *
 * @public
 */
export const serveAdapter = async (module: string, url: string): Promise<void> => {
  const answer = (message: Answer): void => void process.send?.(message);
  process.once('disconnect', () => process.exit());
  try {
    const { openAdapter } = (await import(module)) as { readonly openAdapter: OpenAdapter };
    const adapter = await openAdapter({ url });
    process.on('message', (request: Request) =>
      carryOut(adapter, request).then(
        (result) => answer({ id: request.id, result }),
        (error) => answer({ id: request.id, failure: toFailure(error) }),
      ),
    );
    answer({ id: 0, result: adapter.capabilities });
  } catch (error) {
    answer({ id: 0, failure: toFailure(error as Error) });
  }
};

/**
 * Opens an adapter in another process, for the laws of stores that several processes share. Two adapters of one process are
 * no replacement: an embedded engine may open a file once per process, and share locks and snapshots between the two.
 *
 * @param module A module that exports `openAdapter`, such as `new URL('../src/index.ts', import.meta.url)`
 * @throws the error of `openAdapter`
 */
export const openInOtherProcess = async (module: URL, url: string): Promise<OtherProcess> => {
  const program = `import { serveAdapter } from ${JSON.stringify(import.meta.url)};
    await serveAdapter(${JSON.stringify(module.href)}, ${JSON.stringify(url)});`;
  const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let hasEnded = false;
  const expectAnswer = (id: number): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };
  child.on('message', ({ id, result, failure }: Answer) => {
    failure ? waiting.get(id)?.reject(toError(failure)) : waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  child.once('exit', () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error('The process of the adapter has ended.'));
  });

  const end = async (): Promise<void> => {
    if (hasEnded) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const opened = await expectAnswer(0).catch((error) => end().then(() => Promise.reject(error)));
  let last = 0;
  const call = async <T>(name: Request['call'], ...args: readonly unknown[]): Promise<T> => {
    if (hasEnded) throw new Error('The process of the adapter has ended.');
    const id = ++last;
    const answer = expectAnswer(id);
    child.send({ id, call: name, args } satisfies Request);
    return (await answer) as T;
  };
  return {
    capabilities: opened as StorageAdapter['capabilities'],
    read: (keys) => call('read', keys),
    async commit(writes) {
      const conflict = await call<SentConflict | undefined>('commit', writes);
      return conflict && ({ write: writes[conflict.at], reason: conflict.reason } as Conflict);
    },
    list: (query) => call('list', query),
    scan: (query) => call('scan', query),
    sweep: (limit) => call('sweep', limit),
    ping: () => call('ping'),
    async close() {
      if (!hasEnded) await call('close');
      await end();
    },
    kill: end,
  };
};
