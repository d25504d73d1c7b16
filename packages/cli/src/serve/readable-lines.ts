import { printable } from '../output.ts';

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly status?: number;
  readonly audit?: Readonly<Record<string, string | boolean>>;
  readonly [member: string]: unknown;
}

const refusal = ({ outcome, reason }: NonNullable<Line['audit']>): string =>
  outcome === 'success' ? 'ok' : ['denied', reason].filter(Boolean).join(' ');

/** `login demo user-1 ok`. Undefined for the steps of a login: the login has a line of its own. */
const auditText = (event: NonNullable<Line['audit']>): string | undefined => {
  const { action, clientId, subject, grantType, outcome } = event;
  const isStep = grantType === 'authorization_code' || /^(?:login|consent)\.|^flow\./.test(String(action));
  if (isStep && outcome === 'success') return undefined;
  return [action, grantType, clientId, subject, refusal(event)].filter(Boolean).join(' ');
};

const textOf = ({ level, time: _, msg, audit, ...members }: Line): string | undefined => {
  if (audit !== undefined) return auditText(audit);
  if (members.status !== undefined && members.status < 500 && level === 'info') return undefined;
  const rest = Object.keys(members).length === 0 ? '' : ` ${JSON.stringify(members)}`;
  return `${level === 'info' ? '' : `${level}: `}${msg}${rest}`;
};

/** Writes JSON lines of the log as readable lines, without requests that went well: for dev mode on a terminal. */
export const readableLines = (out: (line: string) => void) => ({
  write(text: string): void {
    for (const json of text.split('\n').filter(Boolean)) {
      const line = JSON.parse(json) as Line;
      const readable = textOf(line);
      // A client or a user chose parts of the text, such as the subject.
      if (readable !== undefined) out(printable(`${line.time.slice(11, 19)} ${readable}`));
    }
  },
});
