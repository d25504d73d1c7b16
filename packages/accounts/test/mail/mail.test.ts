import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Certified, findFreePort, openAuthority } from '@carnet/test-servers';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { composeMail } from '../../src/mail/mail.ts';
import { createMailQueue } from '../../src/mail/mail-queue.ts';
import { type MailerOptions, openMailer } from '../../src/mail/mailer.ts';
import { partsOf, startMailbox } from './smtp-mailbox.ts';

const kinds = ['totp', 'hotp', 'pin', 'recovery_code', 'passkey', 'email'] as const;
const from = 'Carnet <no-reply@carnet.example>';
const link = 'https://login.example/confirm?token=abc_-123';
const mail = composeMail(
  'confirmAddress',
  { product: 'Acme' },
  {
    to: 'ada@example.com',
    language: 'en',
    link,
    validSeconds: 86_400,
  },
);

const open = (url: string, options: Partial<MailerOptions> = {}) => {
  const mailer = openMailer({ url, from, ...options });
  onTestFinished(() => mailer.close());
  return mailer;
};

describe('a mail over SMTP', () => {
  it('arrives with its link as text and as HTML', async () => {
    const { port, received } = await startMailbox({ disabledCommands: ['AUTH', 'STARTTLS'] });
    await open(`smtp://127.0.0.1:${port}`).send(mail);
    const [message] = received;
    expect(message?.recipients).toEqual(['ada@example.com']);
    expect(Object.fromEntries(message?.headers ?? [])).toMatchObject({
      from,
      to: 'ada@example.com',
      subject: 'Confirm your email address for Acme',
      'auto-submitted': 'auto-generated',
      'content-language': 'en',
    });
    const [text, html] = partsOf(message as NonNullable<typeof message>);
    expect(text).toContain(link);
    expect(text).toContain('24 hours');
    expect(html).toContain(`<a href="${link}">Confirm email address</a>`);
  });

  it.each([
    ['de-AT', 'de', 'ltr', 'gilt 24 Stunden'],
    ['fr', 'fr', 'ltr', 'valable 24\u00a0heures'],
    ['es-MX', 'es', 'ltr', '24 horas'],
    ['pt', 'pt-BR', 'ltr', '24 horas'],
    ['ja', 'ja', 'ltr', '24 時間'],
    ['ar-EG', 'ar', 'rtl', 'ساعة'],
    ['x-unknown', 'en', 'ltr', '24 hours'],
    [undefined, 'en', 'ltr', '24 hours'],
  ])('for the language %s is in %s', (requested, language, direction, duration) => {
    const content = { to: 'ada@example.com', language: requested, link, validSeconds: 86_400 };
    const named = { ...content, name: 'ada' };
    const mails = [
      composeMail('confirmAddress', { product: 'Acme' }, content),
      composeMail('resetPassword', { product: 'Acme' }, named),
      composeMail('alreadyRegistered', { product: 'Acme' }, content),
      composeMail('passwordChanged', { product: 'Acme' }, { ...named, canRecover: true }),
      composeMail('passwordChanged', { product: 'Acme' }, { ...named, canRecover: false }),
      ...kinds.map((factor) => composeMail('factorAdded', { product: 'Acme' }, { ...named, factor })),
      ...kinds.map((factor) => composeMail('factorRemoved', { product: 'Acme' }, { ...named, factor })),
      composeMail('factorsReset', { product: 'Acme' }, named),
      composeMail('invitation', { product: 'Acme' }, named),
      composeMail('signInCode', { product: 'Acme' }, { ...named, code: '123456' }),
      composeMail('emailSignInCode', { product: 'Acme' }, { ...named, code: '123456' }),
      composeMail('confirmNewAddress', { product: 'Acme' }, content),
      composeMail('addressTaken', { product: 'Acme' }, content),
      composeMail('emailChangeRequested', { product: 'Acme' }, named),
      composeMail('emailChanged', { product: 'Acme' }, named),
      composeMail('deletionRequested', { product: 'Acme' }, { ...named, at: 1_800_000_000_000 }),
    ];
    for (const each of mails) {
      expect(each.language).toBe(language);
      expect(each.html).toContain(`<html lang="${language}" dir="${direction}">`);
      expect(each.subject).toContain('Acme');
      expect(`${each.subject}${each.text}${each.html}`).not.toMatch(/[{}]|undefined/);
    }
    expect(mails[0]?.text).toContain(duration);
    expect(mails[1]?.text).toContain(link);
    expect(new Set(mails.map(({ text }) => text)).size).toBe(mails.length);
  });
});

describe('an attacker who chooses values of a mail', () => {
  it.each([
    'ada@example.com\r\nBcc: mallory@example.com',
    'ada@example.com\nSubject: other',
    'ada@example.com, mallory@example.com',
    'ada@example.com;mallory@example.com',
    '<ada@example.com>, mallory@example.com',
    'Ada <ada@example.com>',
    '"ada mallory"@example.com',
    'ada@example.com ',
    'ada',
    '',
  ])('cannot send to %j', async (to) => {
    const { port, received } = await startMailbox();
    await expect(open(`smtp://127.0.0.1:${port}?tls=none`).send({ ...mail, to })).rejects.toThrow('not valid');
    expect(received).toEqual([]);
  });

  it('adds no header and no element by a name', async () => {
    const { port, received } = await startMailbox();
    const hostile = 'x\r\nBcc: mallory@example.com\r\n\r\n<b onclick="x">\u2028{product}';
    const attack = { to: 'ada@example.com', language: 'en', name: hostile, canRecover: true };
    await open(`smtp://127.0.0.1:${port}`).send(composeMail('passwordChanged', { product: hostile }, attack));
    const [message] = received;
    expect(message?.recipients).toEqual(['ada@example.com']);
    expect(message?.headers.has('bcc')).toBe(false);
    const [text, html] = partsOf(message as NonNullable<typeof message>);
    expect(text?.split('\n').some((line) => line.startsWith('Bcc:'))).toBe(false);
    expect(html).not.toContain('<b ');
  });

  it.each(['javascript:alert(1)', 'https://login.example/"><script>', 'https://a b', 'data:text/html,x'])(
    'cannot make %j a link',
    (hostile) => {
      const content = { to: 'ada@example.com', language: 'en', link: hostile, validSeconds: 60 };
      expect(() => composeMail('confirmAddress', { product: 'Acme' }, content)).toThrow('http or https URL');
    },
  );
});

describe('the connection to the SMTP server', () => {
  const authority = openAuthority();
  const caFile = join(authority.folder, 'ca.pem');
  const named = { subject: '/CN=mail', alternativeNames: 'IP:127.0.0.1' };
  afterAll(() => authority.close());

  /** A server that asks for the password `p@ss w%`. */
  const startSecured = async ({ cert, key }: Certified, options: SMTPServerOptions = {}) => {
    const logins: (string | undefined)[] = [];
    const mailbox = await startMailbox({
      cert,
      key,
      authOptional: false,
      onAuth({ username, password }, _session, callback) {
        logins.push(`${username}:${password}`);
        callback(password === 'p@ss w%' ? null : new Error('refused'), { user: username });
      },
      ...options,
    });
    return { ...mailbox, logins };
  };
  const credentials = 'carnet:p%40ss%20w%25';

  it.each([
    ['smtp', { secure: false }],
    ['smtps', { secure: true }],
  ])('of %s is encrypted and authenticated', async (scheme, options) => {
    const { port, received, logins } = await startSecured(authority.issued(named), options);
    const mailer = open(`${scheme}://${credentials}@127.0.0.1:${port}?tls=required&ca=${encodeURIComponent(caFile)}`);
    await mailer.check();
    await mailer.send(mail);
    expect(received).toHaveLength(1);
    expect(logins).toEqual(['carnet:p@ss w%', 'carnet:p@ss w%']);
  });

  it.each([
    ['an unknown authority', () => authority.selfSigned(named)],
    ['another name', () => authority.issued({ subject: '/CN=other', alternativeNames: 'DNS:other.example' })],
    ['an expired certificate', () => authority.issued({ ...named, days: -1 })],
  ])('the connection is refused for %s, before the password is sent', async (_title, certify) => {
    for (const secure of [false, true]) {
      const { port, received, logins } = await startSecured(certify(), { secure });
      const url = `${secure ? 'smtps' : 'smtp'}://${credentials}@127.0.0.1:${port}`;
      const mailer = open(`${url}?tls=required&ca=${encodeURIComponent(caFile)}`);
      await expect(mailer.send(mail)).rejects.toThrow(/did not accept the mail \(E/);
      expect([received, logins]).toEqual([[], []]);
    }
  });

  it('the connection is refused if an attacker removes STARTTLS from the greeting', async () => {
    const { port, logins } = await startSecured(authority.issued(named), {
      hideSTARTTLS: true,
      allowInsecureAuth: true,
    });
    const url = `smtp://${credentials}@127.0.0.1:${port}?tls=required`;
    await expect(open(url).send(mail)).rejects.toMatchObject({ name: 'MailError', isPermanent: false });
    expect(logins).toEqual([]);
  });

  it('fails with an error that holds neither the password nor the mail', async () => {
    const { port } = await startSecured(authority.issued(named));
    const url = `smtp://carnet:wrong-secret@127.0.0.1:${port}?tls=required&ca=${encodeURIComponent(caFile)}`;
    const error: Error = await open(url)
      .send(mail)
      .catch((thrown) => thrown);
    expect(error.message).toBe(`The SMTP server 127.0.0.1:${port} did not accept the mail (EAUTH, 535).`);
    expect(inspect(error, { depth: 10 })).not.toMatch(/wrong-secret|d3Jvbmctc2VjcmV0|token=abc/);
  });

  it('ends after the timeout if the server does not greet', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const mailer = open(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs: 300 });
    await expect(mailer.send(mail)).rejects.toThrow('ETIMEDOUT');
  });
});

describe('a mail URL', () => {
  it.each([
    'http://mail.example',
    'smtp:mail.example',
    'smtp://user:hunter%2@mail.example',
    'smtp://user:hunter2/x@mail.example',
    'smtp://user:hunter2@mail.example?tls=none',
    'smtps://user:hunter2@mail.example?tls=none',
    'smtp://user:hunter2@mail.example?tls=maybe',
    'smtp://user:hunter2@mail.example?pool=true',
    'smtp://user:hunter2@mail.example?ca=/missing.pem',
    'log:',
  ])('%s is refused, without quoting it', (url) => {
    expect(() => openMailer({ url, from })).toThrow(TypeError);
    expect(() => openMailer({ url, from })).not.toThrow(/hunter/);
  });

  it('needs a sender without line breaks', () => {
    expect(() => openMailer({ url: 'smtp://mail.example', from: 'Carnet' })).toThrow('sender');
    expect(() => openMailer({ url: 'smtp://mail.example', from: 'a@b.example\r\nBcc: c@d.example' })).toThrow('sender');
  });

  it('"log:" writes the mail to the log', async () => {
    const lines: string[] = [];
    await open('log:', { log: (text) => lines.push(text) }).send(mail);
    expect(lines.join()).toContain(link);
    expect(lines.join()).toContain('ada@example.com');
  });
});

describe('the queue of mails', () => {
  const failing = (failures: number, responseCode: number) => {
    let left = failures;
    const options: SMTPServerOptions = {
      onRcptTo(_address, _session, callback) {
        left -= 1;
        callback(left < 0 ? null : Object.assign(new Error('not now'), { responseCode }));
      },
    };
    return startMailbox(options);
  };

  it('repeats a mail that the server refuses for now', async () => {
    const { port, received } = await failing(2, 451);
    const errors: unknown[] = [];
    const queue = createMailQueue(open(`smtp://127.0.0.1:${port}`), {
      onError: (error) => errors.push(error),
      pausesMs: [10, 10],
    });
    queue.add(mail);
    await expect.poll(() => received).toHaveLength(1);
    await queue.close();
    expect(errors).toEqual([]);
  });

  it('sends a code while invitations and notices wait for a server that is slow', async () => {
    const { received, ...slow } = await startMailbox();
    const mailer = open(`smtp://127.0.0.1:${slow.port}`);
    const release = Promise.withResolvers<void>();
    const isCode = (text: string): boolean => text.includes('123456');
    const queue = createMailQueue(
      { send: (each) => (isCode(each.text) ? mailer.send(each) : release.promise.then(() => mailer.send(each))) },
      { onError: () => {} },
    );
    const named = { to: 'ada@example.com', link, validSeconds: 600, name: 'Ada' };
    for (let index = 0; index < 1_100; index++) queue.add(composeMail('invitation', { product: 'Acme' }, named));
    for (let index = 0; index < 5; index++) queue.add(composeMail('factorsReset', { product: 'Acme' }, named));
    queue.add(composeMail('emailSignInCode', { product: 'Acme' }, { ...named, code: '123456' }));
    await expect.poll(() => received).toHaveLength(1);
    release.reject(new Error('stopped'));
    await queue.close();
    expect(received).toHaveLength(1);
  });

  it('sends a mail while others of its kind wait for another attempt, and repeats them', async () => {
    let isRefusing = true;
    const { port, received } = await startMailbox({
      onRcptTo: ({ address }, _session, callback) => {
        const isRefused = isRefusing && address.endsWith('@later.example');
        callback(isRefused ? Object.assign(new Error('Try again later.'), { responseCode: 450 }) : undefined);
      },
    });
    const errors: unknown[] = [];
    const queue = createMailQueue(open(`smtp://127.0.0.1:${port}`), {
      onError: (error) => errors.push(error),
      pausesMs: [60_000],
    });
    for (let index = 0; index < 4; index++) queue.add({ ...mail, to: `user${index}@later.example` });
    queue.add(mail);
    await expect.poll(() => received.map(({ recipients }) => recipients)).toEqual([[mail.to]]);
    isRefusing = false;
    await queue.close();
    expect(received).toHaveLength(5);
    expect(errors).toEqual([]);
  });

  it('reports a mail that the server refuses for ever, after one attempt', async () => {
    const { port, received } = await failing(1, 550);
    const errors: unknown[] = [];
    const queue = createMailQueue(open(`smtp://127.0.0.1:${port}`), { onError: (...error) => errors.push(error) });
    queue.add(mail);
    await expect.poll(() => errors).toHaveLength(1);
    expect(errors[0]).toMatchObject([{ isPermanent: true }, 'confirmAddress']);
    expect(received).toEqual([]);
  });

  it('sends what waits when it closes, and gives up what failed', async () => {
    const { port, received } = await startMailbox();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const queue = createMailQueue(open(`smtp://127.0.0.1:${port}`), { onError });
    for (let index = 0; index < 12; index++) queue.add(mail);
    const dead = createMailQueue(open(`smtp://127.0.0.1:${await findFreePort()}`), { onError });
    dead.add(mail);
    await Promise.all([queue.close(), dead.close()]);
    expect(received).toHaveLength(12);
    expect(errors).toHaveLength(1);
  });
});
