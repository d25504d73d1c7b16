import { afterAll, describe, test } from 'vitest';
import { lawsFor } from '../../src/directory/laws.ts';
import { createFileFixture } from './file-fixture.ts';

const fixture = createFileFixture();
afterAll(() => fixture.remove());

describe('the file directory', () => {
  test.for(lawsFor())('keeps the law $name', ({ check }) => check(fixture));
});
