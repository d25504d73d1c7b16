import { createFlowTokens as createSealed } from '../../../packages/provider/src/flow/flow-tokens.ts';
import { storeState } from '../../../packages/provider/src/flow/state-by-reference.ts';

/** For comparison: every step of a login commits a row, and only a reference travels through the browser. */
export const createFlowTokens: typeof createSealed = (options) => ({
  ...createSealed(options),
  async seal(purpose, state) {
    const { record, reference } = storeState(options.envelope, state);
    await options.adapter.commit([{ type: 'put', record }]);
    return options.envelope.seal(purpose, reference);
  },
});
