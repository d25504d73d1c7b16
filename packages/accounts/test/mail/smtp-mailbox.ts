import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  readonly recipients: readonly string[];
  /** Headers by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly source: string;
}

const parse = (source: string): Pick<Received, 'headers' | 'source'> => {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), value] as const;
  });
  return { headers: new Map(headers), source };
};

/** The texts of the parts of a mail, decoded. */
export const partsOf = ({ source }: Pick<Received, 'source'>): readonly string[] =>
  source
    .split(/\r\n--[^\r\n]+/)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const content = body.join('\r\n\r\n');
      if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8');
      const bytes = content
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return /quoted-printable/i.test(head) ? Buffer.from(bytes, 'latin1').toString('utf8') : content;
    });

/** A real SMTP server on 127.0.0.1 that keeps what it receives. */
export const startMailbox = async (options: SMTPServerOptions = {}) => {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    async onData(stream, { envelope }, callback) {
      const source = await text(stream);
      received.push({ recipients: envelope.rcptTo.map(({ address }) => address), ...parse(source) });
      callback();
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (listener.address() as AddressInfo).port, received };
};
