import { section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logSchema = section({
  level: z
    .enum(levels, { error: `must be one of ${levels.join(', ')}` })
    .default('info')
    .describe('The least severe level that is logged.'),
});

export type LogConfig = z.output<typeof logSchema>;
