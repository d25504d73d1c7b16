import { Provider } from 'oidc-provider';
import { grantModel as toModel } from '../../grants/code-and-grant.ts';
import { grantKey } from '../../tokens/token-value.ts';
import { recordOf } from '../clients.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

export const grantModel = ({ redemptions, scopeMatch }: ModelOptions): ModelAdapter => ({
  ...nothing,
  async find(grantId) {
    const request = currentState();
    const record = await request.uow.read(grantKey(grantId));
    const client = Provider.ctx?.oidc.client;
    if (record === undefined || client === undefined) return undefined;
    const model = toModel(record, recordOf(client), scopeMatch);
    if (model) request.grant ??= { record, isStored: true, expiresAt: record.expiresAt?.getTime() ?? 0 };
    return model;
  },
  destroy: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});
