import { z } from 'zod';
import type { GroupOperations } from '../api/groups.ts';
import type { OperationsOf } from './operation.ts';
import { shownUser, subject } from './parts.ts';
import { userMembers } from './users.ts';

const { text, externalId, ifVersion, paging } = userMembers;

const id = text(64);

/** The accepted characters keep names apart in the claim `groups`, and readable in a list. */
const name = text(200).regex(/^[^\p{Cc}\p{Cs}]*[^\p{Cc}\p{Cs}\s][^\p{Cc}\p{Cs}]*$/u, 'must have no control characters');

const members = z.array(subject).max(10_000);

export const managedGroup = z.object({
  id: z.string(),
  name: z.string(),
  externalId: z.string().optional(),
  createdAt: z.date(),
  updatedAt: z.date(),
  version: z.string(),
});

/** The members of an input that have the same schema over HTTP. */
export const groupMembers = { name, members };

/** The schemas of `GroupOperations`. */
export const groupOperations = {
  list: {
    summary: 'List groups, or search them by the beginning of the name.',
    input: z.object({
      search: text(200).optional(),
      name: text(200).optional(),
      externalId: externalId.optional(),
      member: subject.optional(),
      ...paging,
    }),
    output: z.object({ groups: z.array(managedGroup), next: z.string().optional(), total: z.int().optional() }),
  },
  get: { summary: 'Get a group.', input: z.object({ id }), output: managedGroup },
  members: {
    summary: 'List the members of a group.',
    input: z.object({ id, limit: paging.limit, after: paging.after }),
    output: z.object({ members: z.array(shownUser), next: z.string().optional() }),
  },
  create: {
    summary: 'Create a group in the accounts database.',
    input: z.object({ name, externalId: externalId.optional(), members: members.optional() }),
    output: managedGroup,
  },
  update: {
    summary: 'Change a group: its name, or its members.',
    input: z.object({
      id,
      ifVersion,
      name: name.optional(),
      externalId: externalId.nullable().optional(),
      members: members.optional(),
      addMembers: members.optional(),
      removeMembers: members.optional(),
    }),
    output: managedGroup,
  },
  delete: {
    summary: 'Delete a group. Its members stay.',
    input: z.object({ id, ifVersion }),
    output: z.void(),
  },
} as const satisfies OperationsOf<GroupOperations>;
