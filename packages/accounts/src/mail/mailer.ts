import { isEmail } from '../directory/index.ts';
import type { Mail } from './mail.ts';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts';

/** Sends mails. */
export interface Mailer {
  /** Resolves when the server has accepted the mail. @throws MailError */
  send(mail: Mail): Promise<void>;
  /** Connects and authenticates without sending. @throws MailError */
  check(): Promise<void>;
  close(): void;
}

/** A mail was not sent. The message names the server and its answer code; it holds no mail and no credentials. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the server has refused this mail for ever: another attempt is useless. */
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent = false, ...options }: ErrorOptions & { isPermanent?: boolean } = {}) {
    super(message, options);
    this.isPermanent = isPermanent;
  }
}

export interface MailerOptions {
  /** `smtp://...` or `smtps://...`: see `parseSmtpUrl`. `log:` writes each mail to `log`, for development only. */
  readonly url: string;
  /** The sender: an address, or `Name <address>`. */
  readonly from: string;
  /** The longest time of each step: connecting, the greeting, each answer. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** Gets the text of each mail, with its link, if the URL is `log:`. */
  readonly log?: (text: string) => void;
}

// The library is imported on demand: dev mode shows emails in the log.
const connect = async ({ host, port, tls, auth, ca }: SmtpServer, timeoutMs: number) =>
  (await import('nodemailer')).createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    // Explicit: a server whose certificate is not valid gets neither the password nor the mail.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    auth,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

const openSmtpMailer = (server: SmtpServer, { from, timeoutMs = 10_000 }: MailerOptions): Mailer => {
  let connected: ReturnType<typeof connect> | undefined;
  const place = `${server.host}:${server.port}`;
  const explained = async (
    work: (transport: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
  ): Promise<void> => {
    try {
      connected ??= connect(server, timeoutMs);
      await work(await connected);
    } catch (cause) {
      const { code = 'unknown error', responseCode } = cause as { code?: string; responseCode?: number };
      const isPermanent = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
      const answer = responseCode === undefined ? code : `${code}, ${responseCode}`;
      throw new MailError(`The SMTP server ${place} did not accept the mail (${answer}).`, { cause, isPermanent });
    }
  };
  return {
    send: ({ to, language, subject, text, html }) =>
      explained((transport) =>
        transport.sendMail({
          from,
          // An object, which is never parsed: a comma in the address adds no second recipient.
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
        }),
      ),
    check: () => explained((transport) => transport.verify()),
    close: () => void connected?.then((transport) => transport.close()),
  };
};

const openLogMailer = (log: (text: string) => void): Mailer => ({
  async send({ to, subject, text }) {
    log(`Mail to ${to}\nSubject: ${subject}\n\n${text}`);
  },
  async check() {},
  close() {},
});

/** @throws TypeError if the URL or the sender cannot be used */
export const openMailer = (options: MailerOptions): Mailer => {
  const { url, from, log } = options;
  if (/[\r\n]/.test(from) || !from.includes('@')) throw new TypeError('The sender of mails must be an email address.');
  if (url === 'log:' && log === undefined) throw new TypeError('The mail URL "log:" is for development only.');
  const mailer = url === 'log:' && log !== undefined ? openLogMailer(log) : openSmtpMailer(parseSmtpUrl(url), options);
  return {
    ...mailer,
    async send(mail) {
      if (!isEmail(mail.to)) throw new MailError('The address of a mail is not valid.', { isPermanent: true });
      await mailer.send(mail);
    },
  };
};
