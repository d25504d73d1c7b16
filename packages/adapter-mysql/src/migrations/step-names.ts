/** The names of all steps, in their order. They are apart from the steps, because only the steps need Kysely. */
export const stepNames = ['0001-records'] as const;
