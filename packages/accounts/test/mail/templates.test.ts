import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mailLanguages } from '../../src/mail/languages.ts';
import { composeMail } from '../../src/mail/mail.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { placeholdersOf, templateNames } from '../../src/mail/templates/placeholders.ts';
import { readTemplates } from '../../src/mail/templates/read-templates.ts';
import { createUser, openTestAccounts, testOptions, useDatabases } from '../open-test-accounts.ts';
import { partsOf, startMailbox } from './smtp-mailbox.ts';

const databases = useDatabases();

/** A folder with these files, until the end of the test. */
const folderOf = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-templates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};

const link = 'https://login.example/recovery?token=abc&x=1';
const recovery = { to: 'ada@example.com', name: 'Ada', link, validSeconds: 1_800 };
const text = 'Subject: {{product}}: new password\n\nHello {{ name }},\n{{link}}\n({{duration}})\n';
const html = '<p title="">Hello {{name}}</p><style>a{b{c:d}}</style><a href="{{link}}">{{product}}</a>';

const templatesOf = (files: Readonly<Record<string, string>>) => {
  const { templates, problems } = readTemplates(folderOf(files));
  expect(problems).toEqual([]);
  return templates;
};
const problemsOf = (files: Readonly<Record<string, string | Uint8Array>>) => readTemplates(folderOf(files)).problems;

describe('a mail of the operator', () => {
  it('has the subject and the text of its file, and no HTML without a file', async () => {
    const templates = templatesOf({ 'reset-password.en.txt': text.replaceAll('\n', '\r\n') });
    const mail = composeMail('resetPassword', { product: 'Acme', templates }, recovery);
    expect(mail).toMatchObject({
      subject: 'Acme: new password',
      text: `Hello Ada,\n${link}\n(30 minutes)\n`,
      html: undefined,
    });
  });

  it('leaves other languages and other mails as they are', () => {
    const templates = templatesOf({ 'reset-password.en.txt': text });
    const settings = { product: 'Acme', templates };
    const german = composeMail('resetPassword', settings, { ...recovery, language: 'de' });
    expect(german).toEqual(composeMail('resetPassword', { product: 'Acme' }, { ...recovery, language: 'de' }));
    expect(composeMail('invitation', settings, recovery)).toEqual(
      composeMail('invitation', { product: 'Acme' }, recovery),
    );
  });

  it('arrives as text and as HTML, with values of users escaped', async () => {
    const { port, received } = await startMailbox();
    const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Carnet <id@example.com>' });
    onTestFinished(() => mailer.close());
    const named = text.replace('new password', 'new password for {{name}}');
    const templates = templatesOf({ 'reset-password.en.txt': named, 'reset-password.en.html': html });
    const name = 'Ada"><img src=x>\r\nBcc: eve@example.com {{link}}';
    await mailer.send(composeMail('resetPassword', { product: 'A&B', templates }, { ...recovery, name }));
    const [mail] = received;
    expect(mail?.recipients).toEqual(['ada@example.com']);
    expect([...(mail?.headers.keys() ?? [])]).not.toContain('bcc');
    expect(mail?.source).toContain('multipart/alternative');
    const parts = mail === undefined ? [] : partsOf(mail);
    expect(parts[0]).toContain('Hello Ada"><img src=x> Bcc: eve@example.com {{link}},');
    expect(parts[1]).toContain('Hello Ada&quot;&gt;&lt;img src=x&gt; Bcc: eve@example.com {{link}}</p>');
    expect(parts[1]).toContain('href="https://login.example/recovery?token=abc&amp;x=1">A&amp;B<');
  });

  it('has another file for users who cannot set a new password by email', () => {
    const one = { 'password-changed.en.txt': 'Subject: Changed\n\nSet a new one.' };
    const other = { 'password-changed-without-recovery.en.txt': 'Subject: Changed\n\nCall us.' };
    const settings = { product: 'Acme', templates: templatesOf({ ...one, ...other }) };
    const send = (canRecover: boolean) =>
      composeMail('passwordChanged', settings, { to: 'ada@example.com', name: 'Ada', canRecover }).text;
    expect([send(true), send(false)]).toEqual(['Set a new one.\n', 'Call us.\n']);
  });

  it('a code has the text of the operator', async () => {
    const database = await databases.createUrl('sqlite');
    await createUser(database, { emailVerified: true });
    const { port, received } = await startMailbox();
    const templates = folderOf({ 'email-sign-in-code.en.txt': 'Subject: Our code\n\nIt is {{code}}.' });
    const mail = { url: `smtp://127.0.0.1:${port}`, from: 'Carnet <id@example.com>', templates };
    const { accounts } = await openTestAccounts(testOptions({ database, mail, emailSignIn: { enabled: true } }));
    await accounts.signIn.requestEmailCode({ login: 'ada@example.com', binding: 'c' });
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]?.headers.get('subject')).toBe('Our code');
    expect(received[0]?.source).toMatch(/It is \d{6}\./);
  });
});

describe('the files of mails', () => {
  it('every problem is reported at once, with the file and the line', () => {
    const problems = problemsOf({
      'reset-password.en.txt': 'Subject: {{product}}\n\nHello {{nme}}\n{{link}}\n{{duration',
      'reset-password.de.txt': 'Hallo {{name}}\n{{link}}',
      'invitation.fr.txt': 'Subject: {{link}}\n\nBonjour',
      'sign-in-code.en.txt': 'Subject: {{code}}\n\n{{code}}',
      'sign-in-code.en.html': '<p>no code</p>',
      'reset-pasword.en.txt': text,
      'reset-password.it.txt': text,
      'reset-password.txt': text,
      'reset-password.es.html': html,
      'factors-reset.en.txt': new Uint8Array([0xff]),
      '.hidden': '',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^reset-password\.it\.txt: there is no language it\. The languages are en, /),
      'reset-password.txt: the name must be <mail>.<language>.txt or <mail>.<language>.html.',
      expect.stringMatching(
        /^reset-pasword\.en\.txt: there is no mail reset-pasword\. The mails are confirm-address, /,
      ),
      expect.stringMatching(/^factors-reset\.en\.txt: it cannot be read: .*utf-8/),
      'invitation.fr.txt:1: {{link}} must not be in the subject: mail servers log it.',
      'invitation.fr.txt: {{link}} is missing. Without it, the mail is useless.',
      'reset-password.de.txt:1: the file must begin with a line "Subject: ..." and an empty line.',
      'reset-password.en.txt:3: {{nme}} is not a placeholder of this mail. It has {{product}}, {{link}}, {{duration}}, {{name}}.',
      'reset-password.en.txt:5: {{ has no }} in this line.',
      'reset-password.es.html: reset-password.es.txt is missing. Mail programs without HTML show it.',
      'sign-in-code.en.txt:1: {{code}} must not be in the subject: mail servers log it.',
      'sign-in-code.en.html: {{code}} is missing. Without it, the mail is useless.',
    ]);
  });

  it('a folder that is missing is a problem', () => {
    const { problems } = readTemplates('/no/such/folder');
    expect(problems).toEqual([expect.stringContaining('the folder: it cannot be read: ENOENT')]);
  });

  it.each([
    ['<a href="https://example.com/{{name}}">{{link}}</a>', 1],
    ['{{link}}\n<p title="{{name}}"></p>', 2],
    ['{{link}}\n<p title=">{{name}}"></p>', 2],
    ["{{link}}\n<a href='{{name}}>", 2],
    ['{{link}}\n<p {{name}}', 2],
    ['{{link}}<script>\n{{name}}</script>', 2],
    ['{{link}}<script>/*</scripty>*/\n{{name}}</script>', 2],
    ['{{link}}<style>\n\n{{name}}', 3],
    ['{{link}}\nhttps://example.com/{{product}}', 2],
    ['<b>{{link}}&name={{name}}</b>', 1],
    ['{{link}}<!-- {{name}} -->', 1],
  ])('a value of a user must not be in a tag, a script or a URL: %s', (content, line) => {
    const problems = problemsOf({ 'reset-password.en.txt': text, 'reset-password.en.html': content });
    expect(problems[0]).toMatch(
      new RegExp(`^reset-password\\.en\\.html:${line}: \\{\\{(?:name|product)\\}\\} must not be`),
    );
  });

  it('a value of a user must not be in a URL of the text', () => {
    const problems = problemsOf({ 'reset-password.en.txt': `${text}https://example.com/?user={{name}}` });
    expect(problems).toEqual([expect.stringMatching(/^reset-password\.en\.txt:6: /)]);
  });

  it('every placeholder of a text of Carnet is one of its file', () => {
    for (const { direction: _direction, factors: _factors, ...mails } of Object.values(mailLanguages))
      for (const [name, texts] of Object.entries(mails)) {
        const used = Object.values(texts).flatMap((each) => [...each.matchAll(/\{(\w+)\}/g)].map(([, found]) => found));
        expect(placeholdersOf[name as keyof typeof placeholdersOf], name).toEqual(expect.arrayContaining(used));
      }
  });

  it('the guide lists every mail with its placeholders', () => {
    const guide = readFileSync(new URL('../../../../docs/guides/branding.md', import.meta.url), 'utf8');
    for (const [file, name] of templateNames)
      expect(guide).toContain(`| \`${file}\` | ${placeholdersOf[name].map((each) => `\`${each}\``).join(', ')} |`);
  });

  it('the accounts do not open with a file that is not valid', async () => {
    const templates = folderOf({ 'invitation.en.txt': 'Subject: Hi\n\nHi' });
    const mail = { url: 'smtp://127.0.0.1:25', from: 'Carnet <id@example.com>', templates };
    const opened = openTestAccounts(testOptions({ database: await databases.createUrl('sqlite'), mail }));
    await expect(opened).rejects.toThrow('invitation.en.txt: {{link}} is missing');
  });
});
