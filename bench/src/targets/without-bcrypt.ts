// Preloaded into a server (`--import`): the native bcrypt is missing.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'bcrypt') return next(specifier, context);
    throw Object.assign(new Error('bcrypt is not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
