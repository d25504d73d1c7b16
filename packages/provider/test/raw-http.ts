import { connect } from 'node:net';

/** A request as it goes over the wire: nothing of it is checked or put right. */
export interface RawHttp {
  readonly method?: string;
  /** With its query. */
  readonly target: string;
  /** In this order, in this spelling, as often as they stand here. `Host`, `Content-Length` and `Connection` are added. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
  /** Announced instead of the body's own length; the connection is cut off after a body that is shorter. */
  readonly contentLength?: number;
}

export interface RawHttpAnswer {
  readonly status: number;
  /** By name in small letters; what came several times with commas between. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const encode = ({ method = 'GET', target, headers = [], body = '', contentLength }: RawHttp, host: string): Buffer => {
  const bytes = Buffer.from(body);
  const hasBody = bytes.length > 0 || contentLength !== undefined || method === 'POST';
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(hasBody ? [`Content-Length: ${contentLength ?? bytes.length}`] : []),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
};

const decode = (bytes: Buffer): RawHttpAnswer => {
  const end = bytes.indexOf('\r\n\r\n');
  // 100 Continue: the answer comes after it.
  if (bytes.subarray(9, 10).toString() === '1' && end > 0) return decode(bytes.subarray(end + 4));
  if (end < 0) return { status: 0, headers: {}, text: bytes.toString() };
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const [name, value] = [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(first.split(' ')[1]), headers, text: bytes.toString('utf8', end + 4) };
};

/** Sends a request to an origin, on a connection of its own. Status 0: there was no answer. */
export const sendRawTo = (origin: string, request: RawHttp): Promise<RawHttpAnswer> => {
  const { port, host } = new URL(origin);
  return sendRaw(Number(port), host, request);
};

/** The same for a port of this machine. */
const sendRaw = (port: number, host: string, request: RawHttp): Promise<RawHttpAnswer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.once('close', () => resolve(decode(Buffer.concat(chunks))));
    socket.write(encode(request, host));
    if (request.contentLength !== undefined) setTimeout(() => socket.end(), 20);
  });

/** A form that is POSTed. */
export const formPost = (
  target: string,
  form: string,
  headers: readonly (readonly [string, string])[] = [],
): RawHttp => ({
  method: 'POST',
  target,
  headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...headers],
  body: form,
});
