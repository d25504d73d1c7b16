import { Provider } from 'oidc-provider';
import { grantModel as toModel } from '../../grants/grant-record.ts';
import { grantKey } from '../../tokens/token-value.ts';
import { recordOf } from '../clients.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

export const grantModel = ({ redemptions, scopeMatch }: ModelOptions): ModelAdapter => ({
  ...nothing,
  async find(grantId) {
    const record = await currentState().uow.read(grantKey(grantId));
    const client = Provider.ctx?.oidc.client;
    return record && client && toModel(record, recordOf(client), scopeMatch);
  },
  destroy: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});
