import { expect, test } from 'vitest';
import { problemsIn } from './law.ts';

test('a law that no mutant breaks, a mutant without a law, and bad names are reported', () => {
  const laws = [
    { name: 'kept', says: 'A law.' },
    { name: 'kept', says: 'Two sentences. Here.' },
    { name: 'Unproved', says: 'Another law.' },
  ];
  const mutants = [
    { name: 'one', breaks: 'kept' },
    { name: 'other', breaks: 'absent' },
  ];
  expect(problemsIn(laws, mutants)).toEqual([
    'Unproved is not in kebab-case',
    'kept is not unique',
    'not one sentence: Two sentences. Here.',
    'no mutant breaks Unproved',
    'there is no law absent',
  ]);
});
