import { claim, freshId, freshRecord, put } from '../src/laws/records.ts';

/** The writes of a first login. */
export const loginWrites = () => {
  const grantId = freshId();
  const [code, refresh] = [
    freshRecord({ kind: 'authorization_code', grantId }),
    freshRecord({ kind: 'refresh_token', grantId }),
  ];
  const grant = freshRecord({ kind: 'grant', id: grantId, grantId, subject: 'subject', clientId: 'client' });
  return { grantId, code, refresh, writes: [claim(code), put(grant), put(refresh), put(freshRecord({ grantId }))] };
};
