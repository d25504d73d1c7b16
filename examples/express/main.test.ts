import { describe } from 'vitest';
import { testMounted } from '../mounted.ts';

describe('the Express example', () => {
  testMounted({ folder: new URL('.', import.meta.url), issuerPath: '/op', notFound: /Cannot GET/ });
});
