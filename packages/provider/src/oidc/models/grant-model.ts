import { grantModel as toModel } from '../code-and-grant.ts';
import { currentState } from '../request-state.ts';
import { grantKey } from '../token-value.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

export const grantModel = ({ redemptions }: ModelOptions): ModelAdapter => ({
  ...nothing,
  async find(grantId) {
    const request = currentState();
    const record = await request.uow.read(grantKey(grantId));
    if (record === undefined) return undefined;
    request.grant ??= { record, expiresAt: record.expiresAt?.getTime() ?? 0 };
    return toModel(record);
  },
  destroy: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});
