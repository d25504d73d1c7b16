import { describe } from 'vitest';
import { testMounted } from '../mounted.ts';

describe('the Koa example', () => {
  testMounted({ folder: new URL('.', import.meta.url), issuerPath: '', notFound: /^Not Found$/ });
});
