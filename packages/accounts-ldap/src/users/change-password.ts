import { DirectoryError, type DirectoryUser, type PasswordChange } from '@carnet/accounts/directory';
import { Attribute, BerWriter, Change, type Client } from 'ldapts';
import { describeFailure, resultCodeOf } from '../connection/answers.ts';
import type { Pool } from '../connection/pool.ts';
import type { LdapSettings } from '../settings.ts';
import { bindAs, bindFailure, isUsablePassword } from './bind.ts';

const passwordModifyOid = '1.3.6.1.4.1.4203.1.11.1';
const [constraintViolation, insufficientAccess, unwilling] = [19, 50, 53];

interface Passwords {
  readonly dn: string;
  readonly current: string;
  readonly next: string;
}

/** The password modify extended operation (RFC 3062, section 2). */
const modifyByOperation = async (client: Client, { dn, current, next }: Passwords): Promise<void> => {
  const writer = new BerWriter();
  writer.startSequence();
  for (const [index, value] of [dn, current, next].entries()) writer.writeString(value, 0x80 + index);
  writer.endSequence();
  await client.exop(passwordModifyOid, writer.buffer);
};

const unicodePassword = (operation: 'add' | 'delete', password: string): Change => {
  const values = [Buffer.from(`"${password}"`, 'utf16le')];
  return new Change({ operation, modification: new Attribute({ type: 'unicodePwd', values }) });
};

/** A user of Active Directory deletes the old value and adds the new one in one request (MS-ADTS, section 3.1.1.3.1.5). */
const modifyUnicodePwd = (client: Client, { dn, current, next }: Passwords): Promise<void> =>
  client.modify(dn, [unicodePassword('delete', current), unicodePassword('add', next)]);

const modifications = { rfc3062: modifyByOperation, unicodePwd: modifyUnicodePwd };

interface PasswordChangeOptions {
  readonly settings: Pick<LdapSettings, 'name' | 'passwordChange'>;
  readonly pool: Pick<Pool, 'use'>;
}

const refused = (name: string, error: unknown): PasswordChange => {
  const code = resultCodeOf(error);
  const message = describeFailure(error);
  if (code === constraintViolation || code === unwilling) return { changed: false, reason: 'weak_password', message };
  if (code === undefined) throw error;
  const isForbidden = code === insufficientAccess;
  const text = isForbidden ? 'the server does not let users change their passwords' : `change of password: ${message}`;
  throw new DirectoryError(isForbidden ? 'not_supported' : 'unavailable', name, text, { cause: error });
};

/** Changes passwords as the user, on a connection that is bound with the current one. */
export const createPasswordChange =
  ({ settings: { name, passwordChange }, pool }: PasswordChangeOptions) =>
  async ({ handle: dn }: DirectoryUser, current: string, next: string): Promise<PasswordChange> => {
    if (!isUsablePassword(current)) return { changed: false, reason: 'wrong_password' };
    if (!isUsablePassword(next)) return { changed: false, reason: 'weak_password' };
    const change = async (client: Client): Promise<PasswordChange> => {
      const refusal = await bindAs(client, { dn, password: current });
      // With `password_change_required`, the server has accepted the current password.
      if (refusal !== undefined && refusal !== 'password_change_required') return { changed: false, reason: refusal };
      try {
        await modifications[passwordChange](client, { dn, current, next });
        return { changed: true };
      } catch (error) {
        if (resultCodeOf(error) === undefined) throw error;
        return refused(name, error);
      }
    };
    try {
      return await pool.use('change of password', change);
    } catch (error) {
      throw bindFailure(name, error);
    }
  };
