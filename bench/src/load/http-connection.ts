import { connect } from 'node:net';

/** Called with each answer: its status, its body, and its head (status line and fields), read as latin1. */
type OnAnswer = (status: number, body: string, head: string) => void;

export interface HttpConnection {
  /** Writes a request; the answer to the one before must have come. */
  send(request: Buffer): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly onAnswer: OnAnswer;
  /** The connection is unusable: it was refused or closed, or the server answered something else than HTTP/1.1. */
  readonly onFailure: (error: Error) => void;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Where a chunked body ends in `text` and what it says, or `undefined` while it is not all there (RFC 9112, section 7.1). */
const readChunked = (text: string, from: number): string | undefined => {
  let body = '';
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('the answer has a chunk without a size');
    if (text.length < lineEnd + 4 + size) return undefined;
    if (size === 0) return body;
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 4 + size;
  }
};

/** The body, or `undefined` while it is not all there. */
const readBody = (received: Buffer, head: string): string | undefined => {
  const bodyAt = head.length;
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = bodyAt + Number(length);
    return received.length < end ? undefined : received.toString('latin1', bodyAt, end);
  }
  if (/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) return readChunked(received.toString('latin1'), bodyAt);
  if (/^HTTP\/1\.1 (204|304)/.test(head)) return '';
  throw new Error('the answer says nothing of its length');
};

/**
 * Opens a connection that stays open and does one request at a time. It does no more for each than a write, a read and a look
 * at the head, because the load generator shares the cores with the server.
 */
export const openHttpConnection = ({ host, port, onAnswer, onFailure }: ConnectionOptions): Promise<HttpConnection> => {
  const socket = connect({ host, port, noDelay: true });
  let received: Buffer | undefined;
  const take = (chunk: Buffer): void => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(headEnd);
    if (end === -1) return;
    const head = received.toString('latin1', 0, end + headEnd.length);
    const body = readBody(received, head);
    if (body === undefined) return;
    const status = Number(received.toString('latin1', 9, 12));
    received = undefined;
    onAnswer(status, body, head);
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      reject(error);
      onFailure(error);
    });
    socket.once('close', () => onFailure(new Error('the server has closed the connection')));
    socket.once('connect', () =>
      resolve({
        send: (request) => void socket.write(request),
        close: () => void socket.destroy(),
      }),
    );
  });
};
