import type { RequestListener } from 'node:http';
import { listen } from '@carnet/test-servers/listen';

/** A server of somebody else's, on a port of 127.0.0.1: `answer` may be changed at any time. */
export interface Remote {
  readonly origin: string;
  answer: RequestListener;
  /** Method and path of every request so far. */
  readonly seen: string[];
  close(): Promise<void>;
}

export const openRemote = async (): Promise<Remote> => {
  const seen: string[] = [];
  const { origin, close } = await listen((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    remote.answer(req, res);
  });
  const remote: Remote = {
    origin,
    answer: (_req, res) => void res.writeHead(404).end(),
    seen,
    close,
  };
  return remote;
};

/** Answers with JSON, whatever is asked. */
export const json =
  (value: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_req, res) =>
    void res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
