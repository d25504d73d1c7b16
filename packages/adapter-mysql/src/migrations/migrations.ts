import type { KyselyStep } from '@carnet/adapter-contract/kysely';
import type { Schema } from '../schema.ts';
import { records } from './0001-records.ts';
import type { stepNames } from './step-names.ts';

/** Every step by its name. The steps are applied in the order of their names. */
export const migrations: Readonly<Record<(typeof stepNames)[number], KyselyStep<Schema>>> = { '0001-records': records };
