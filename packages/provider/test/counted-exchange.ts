import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import type { Instance } from './harness.ts';

/** What one request took, none of it measured by a clock. */
export interface Counts {
  /** Round trips to the store. */
  readonly trips: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
  /** Sealed envelopes that were made, and opened. */
  readonly seals: number;
  readonly opens: number;
  readonly signatures: number;
  /** Signatures that were checked. */
  readonly verifications: number;
  /** Clients that were made of their records. */
  readonly clients: number;
  /** Promises that came into being, those of each `await` too. */
  readonly promises: number;
}

export interface Exchange {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly counts: Counts;
}

const operations = {
  createCipheriv: 'seals',
  createDecipheriv: 'opens',
  sign: 'signatures',
  verify: 'verifications',
} as const;
type Operation = keyof typeof operations;

/** Counts calls of functions that all of this process shares, each of which still does what it did. */
const countCalls = (target: object, names: readonly Operation[], counted: (name: Operation) => void) => {
  const functions = target as Record<string, (...args: unknown[]) => unknown>;
  const originals = names.map((name) => [name, functions[name] as (typeof functions)[string]] as const);
  for (const [name, original] of originals) {
    functions[name] = function count(this: unknown, ...args) {
      counted(name);
      return original.apply(this, args);
    };
  }
  return () => {
    for (const [name, original] of originals) functions[name] = original;
  };
};

export interface Counter {
  /** One request, over a connection that stays open. Nothing of its own makes a promise while the server works. */
  send(exchange: Exchange): Promise<Exchanged>;
  close(): void;
}

export const openCounter = (instance: Pick<Instance, 'calls' | 'carnet'>): Counter => {
  const cryptography: Record<(typeof operations)[Operation], number> = {
    seals: 0,
    opens: 0,
    signatures: 0,
    verifications: 0,
  };
  const count = (name: Operation): void => {
    cryptography[operations[name]] += 1;
  };
  const restores = [
    countCalls(crypto, ['createCipheriv', 'createDecipheriv', 'sign', 'verify'], count),
    countCalls(Object.getPrototypeOf(crypto.subtle), ['sign', 'verify'], count),
  ];
  syncBuiltinESMExports();
  let promises = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') promises += 1;
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const reset = (): void => {
    Object.assign(cryptography, { seals: 0, opens: 0, signatures: 0, verifications: 0 });
    instance.calls.reset();
    promises = 0;
  };
  const exchange = (
    { method = 'GET', url, headers, body }: Exchange,
    done: (response: IncomingMessage, chunks: readonly Buffer[], bytes: number) => void,
    failed: (error: Error) => void,
  ): void => {
    const sent = request(url, { method, headers: { accept: '*/*', ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(response, chunks, (used?.bytesRead ?? 0) - readBefore));
    });
    let used: Socket | undefined;
    let readBefore = 0;
    sent.on('socket', (socket) => {
      used = socket;
      readBefore = socket.bytesRead;
    });
    sent.on('error', failed);
    sent.end(body);
  };

  return {
    send: (each) =>
      new Promise((resolve, reject) => {
        const instantiatedBefore = instance.carnet.stats().clientInstantiations;
        hook.enable();
        reset();
        const done = (response: IncomingMessage, chunks: readonly Buffer[], bytes: number): void => {
          hook.disable();
          const whole = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: whole.toString(),
            counts: {
              trips: instance.calls.trips(),
              headBytes: bytes - whole.length,
              bodyBytes: whole.length,
              ...cryptography,
              clients: instance.carnet.stats().clientInstantiations - instantiatedBefore,
              promises,
            },
          });
        };
        exchange(each, done, reject);
      }),
    close: () => {
      for (const restore of restores) restore();
      syncBuiltinESMExports();
      hook.disable();
      agent.destroy();
    },
  };
};
