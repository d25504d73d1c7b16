import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    remote.answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const remote: Remote = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (_req, res) => void res.writeHead(404).end(),
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return remote;
};

/** Answers with JSON, whatever is asked. */
export const json =
  (value: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_req, res) =>
    void res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
