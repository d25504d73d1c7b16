// Preloaded into a server (`--import`): it takes `createFlowTokens` from `stored-flow-tokens.ts`.
import { registerHooks } from 'node:module';

const replacement = new URL('stored-flow-tokens.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // The replacement itself imports the original.
    const isReplaced = resolved.url.endsWith('/flow/flow-tokens.ts') && context.parentURL !== replacement;
    return isReplaced ? { ...resolved, url: replacement } : resolved;
  },
});
