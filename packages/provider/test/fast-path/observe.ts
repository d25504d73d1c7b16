import { setTimeout as delay } from 'node:timers/promises';
import type { StoredRecord, Write } from '@carnet/adapter-contract';
import type { Calls, Instance } from '../harness.ts';
import { type Mask, maskOf } from './mask.ts';
import { type RawHttp, type RawHttpAnswer, sendRaw } from './raw-http.ts';

/** A request, its answer, and what came of it. */
export interface Observed {
  readonly answer: RawHttpAnswer;
  /** Everything that has to be the same on both sides, the random parts masked. */
  readonly comparable: Readonly<Record<string, unknown>>;
  /** Round trips to the store, but for those that fill the cache of clients. */
  readonly trips: number;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]));
};

const readable = ({ payload, ...record }: StoredRecord): object => ({ ...record, payload: JSON.parse(payload) });

const effectOf = (write: Write): unknown =>
  sorted('record' in write ? { ...write, record: readable(write.record) } : write);

/** What every line has, and what differs from one time to the next. */
const lineOf = (line: string): unknown => {
  const { time, pid, hostname, durationMs, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const { type, message } = (err ?? {}) as { type?: string; message?: string };
  return sorted({ ...rest, ...(err === undefined ? {} : { err: { type, message } }) });
};

/** Of tokens that nobody was given. */
const lostIds = /(?<="id":")[\w-]{43}(?=","kind":"(?:access_token|refresh_token|client_credentials)")/g;

const untilLogged = async (
  instance: Instance,
  { from, isCutOff }: { readonly from: number; readonly isCutOff: boolean },
): Promise<readonly string[]> => {
  const isWhole = () => instance.logLines.slice(from).some((line) => line.includes('"msg":"request"'));
  for (let turns = 0; turns < 20 && !isWhole(); turns++) await new Promise((resolve) => setImmediate(resolve));
  // A request that was cut off has no last line: it has been dealt with when nothing has been written for a while.
  for (let [quietMs, count] = [0, from]; isCutOff && quietMs < 60 && !isWhole(); quietMs += 5) {
    if (instance.logLines.length !== count) quietMs = 0;
    count = instance.logLines.length;
    await delay(5);
  }
  return instance.logLines.slice(from);
};

/** Until what came before has been logged. */
const untilQuiet = async (instance: Instance): Promise<void> => {
  for (let length = -1, turns = 0; turns < 3; turns++) {
    if (length !== instance.logLines.length) turns = 0;
    length = instance.logLines.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const tripsOf = ({ reads, commits }: Calls): number =>
  commits.length + reads.filter((keys) => keys.some(({ kind }) => kind !== 'client')).length;

/** The form, its escapes undone where they can be. */
const sentIn = ({ body = '' }: RawHttp): string => {
  try {
    return decodeURIComponent(String(body));
  } catch {
    return String(body);
  }
};

/** Sends a request to an instance, and looks at everything that comes of it. */
export const observe = async (
  instance: Instance,
  { host, request, mask = (text) => text }: { readonly host: string; readonly request: RawHttp; readonly mask?: Mask },
): Promise<Observed> => {
  await untilQuiet(instance);
  instance.calls.reset();
  const logged = instance.logLines.length;
  const answer = await sendRaw(Number(new URL(instance.issuer).port), host, request);
  // Where nothing is at a path there is an answer at once, and no line.
  const isCutOff = answer.status === 0 || request.contentLength !== undefined;
  const lines = await untilLogged(instance, { from: logged, isCutOff });
  const { date = '', 'x-request-id': requestId = 'none', ...headers } = answer.headers;
  const hide = maskOf(`${JSON.stringify(headers)} ${answer.text}`, sentIn(request));
  // Of a request that was cut off there is a record, perhaps, and no answer that names it.
  const isOwn = requestId === 'none' ? /(?<="requestId":")[^"]+/g : requestId;
  const hideAll = (text: string): string => mask(hide(text.replaceAll(isOwn, '<request id>')));
  const masked = <T>(value: T): T => JSON.parse(hideAll(JSON.stringify(value))) as T;
  const carriedOut = instance.calls.commits.filter((writes) => !instance.calls.stopped.has(writes));
  const effects = JSON.stringify(carriedOut.map((writes) => writes.map(effectOf)));
  // Pages show the request's id, whose length grows as they are counted.
  const shown = (answer.text.split(requestId).length - 1) * requestId.length;
  const length = headers['content-length'];
  const comparable = length === undefined ? headers : { ...headers, 'content-length': String(Number(length) - shown) };
  return {
    answer,
    trips: tripsOf(instance.calls),
    comparable: {
      status: answer.status,
      headers: { ...masked(comparable), hasDate: date !== '', hasRequestId: requestId !== 'none' },
      body: hideAll(answer.text),
      commits: JSON.parse(hideAll(answer.status < 500 ? effects : effects.replace(lostIds, '<lost>'))),
      log: masked(lines.map(lineOf)),
    },
  };
};
