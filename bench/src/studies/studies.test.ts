import { describe, expect, it } from 'vitest';
import { parseStudy, studies } from './index.ts';
import { matrix } from './matrix.ts';
import { memory } from './memory.ts';

const none = { scenarios: [], isQuick: false, repeated: {} };

describe('a study', () => {
  it.each(studies.map((study) => [study.name, study] as const))('named %s has help and defaults', (_, study) => {
    expect(parseStudy(study, [])).toMatchObject({ values: study.options });
    const help = String(parseStudy(study, ['--help']));
    for (const said of [study.title, '--out', ...Object.keys(study.options)]) expect(help).toContain(said);
  });

  it.each([
    [memory, ['--logins', 'many'], 'whole number'],
    [memory, ['--workers', '0'], 'from 1'],
    [matrix, ['--rounds', '0'], 'from 1'],
    [matrix, ['--speed', '1'], 'speed'],
  ])('says what to do about an option', (study, args, hint) => {
    expect(() => parseStudy(study, args)).toThrow(hint);
  });

  it.each([
    [memory, { ...memory.options, store: 'mysql' }],
    [matrix, { ...matrix.options, variants: 'memory/opaque,mysql/opaque' }],
  ])('starts nothing for a store that there is not', async (study, values) => {
    await expect(study.run(values, none)).rejects.toThrow(/it takes memory(, sqlite|\/opaque)/);
  });
});
