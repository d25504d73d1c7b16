import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Pool } from 'pg';

/** One table for all models, one row for each stored object, as in the examples of oidc-provider. */
export const schema = `
  create table oidc_payloads (
    id text not null,
    model text not null,
    payload jsonb not null,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (id, model)
  );
  create index on oidc_payloads (grant_id);
  create index on oidc_payloads (uid);
  create index on oidc_payloads (user_code);
`;

interface Row {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
}

type Column = 'id' | 'uid' | 'user_code';

/** The adapter that a reader of the examples writes: a statement for each call. */
export const postgresAdapter = (pool: Pool): ((model: string) => Adapter) => {
  const find = async (model: string, column: Column, value: string): Promise<AdapterPayload | undefined> => {
    const { rows } = await pool.query<Row>(
      `select payload, consumed_at from oidc_payloads
       where model = $1 and ${column} = $2 and (expires_at is null or expires_at > now())`,
      [model, value],
    );
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed_at ? { consumed: true } : {}) };
  };
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1_000) : null;
      const { grantId = null, userCode = null, uid = null } = payload;
      await pool.query(
        `insert into oidc_payloads (id, model, payload, grant_id, user_code, uid, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id, model) do update set payload = $3, grant_id = $4, user_code = $5, uid = $6, expires_at = $7`,
        [id, model, payload, grantId, userCode, uid, expiresAt],
      );
    },
    find: (id) => find(model, 'id', id),
    findByUid: (uid) => find(model, 'uid', uid),
    findByUserCode: (userCode) => find(model, 'user_code', userCode),
    async consume(id) {
      await pool.query('update oidc_payloads set consumed_at = now() where model = $1 and id = $2', [model, id]);
    },
    async destroy(id) {
      await pool.query('delete from oidc_payloads where model = $1 and id = $2', [model, id]);
    },
    async revokeByGrantId(grantId) {
      await pool.query('delete from oidc_payloads where grant_id = $1', [grantId]);
    },
  });
};
