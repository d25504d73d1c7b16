import { z } from 'zod';
import type { GroupOperations, ManagedGroup } from '../api/groups.ts';
import {
  answerDone,
  answerPage,
  type ManagementAnswer,
  type ManagementRequest,
  type ManagementRoute,
  onlyVersion,
  type Parse,
  pageQuery,
  pageQueryOf,
  versionIn,
} from '../users/route.ts';
import { groupMembers, groupOperations, managedGroup } from '../wire/groups.ts';
import { shownUser, subject } from '../wire/parts.ts';
import { userMembers } from '../wire/users.ts';
import { toWire, wireSchema } from '../wire/wire-names.ts';

const path = '/admin/groups';
const onePath = `${path}/:id`;

const { text, externalId } = userMembers;
const { name, members } = groupMembers;

const answer = wireSchema(managedGroup).meta({ id: 'Group' });

const listQuery = z.object({
  search: text(200).optional(),
  name: text(200).optional(),
  external_id: externalId.optional(),
  member: subject.optional(),
  ...pageQuery,
});

const memberQuery = z.object(pageQuery);

const creation = z.strictObject({
  name,
  external_id: externalId.optional(),
  members: members.optional().describe('The subjects of users in the accounts database.'),
});

const change = z.strictObject({
  name: name.optional(),
  external_id: externalId.nullable().optional().describe('`null` removes it.'),
  members: members.optional().describe('Replaces all members.'),
  add_members: members.optional(),
  remove_members: members.optional(),
});

const idIn = ({ params: { id = '' } }: ManagementRequest) => ({ id });

const answerOne = (group: ManagedGroup, status = 200): ManagementAnswer => ({
  status,
  headers: { ETag: `"${group.version}"` },
  body: toWire(managedGroup, group) as object,
});

const collectionRoutes = (groups: GroupOperations, parse: Parse): readonly ManagementRoute[] => [
  {
    method: 'GET',
    path,
    operationId: 'listGroups',
    summary: groupOperations.list.summary,
    query: {
      search: 'The beginning of the name.',
      name: 'The whole name. Case, width and white space do not matter.',
      external_id: 'The whole id that a provisioning client has given to the group.',
      member: 'The subject of a user who is a member.',
      ...pageQueryOf('groups'),
    },
    answers: { 200: z.array(answer) },
    handle: (request) =>
      answerPage(request, { path, schema: listQuery, parse }, async ({ external_id, ...filters }, page) => {
        const { groups: found, next } = await groups.list({ ...filters, ...page, externalId: external_id });
        return { body: found.map((group) => toWire(managedGroup, group)), next };
      }),
  },
  {
    method: 'POST',
    path,
    operationId: 'createGroup',
    summary: groupOperations.create.summary,
    body: { schema: creation },
    answers: { 201: answer },
    async handle(request) {
      const { external_id, ...given } = parse(creation, await request.json());
      return answerOne(await groups.create({ ...given, externalId: external_id }), 201);
    },
  },
];

const oneGroupRoutes = (groups: GroupOperations, parse: Parse): readonly ManagementRoute[] => [
  {
    method: 'GET',
    path: onePath,
    operationId: 'getGroup',
    summary: groupOperations.get.summary,
    answers: { 200: answer },
    handle: async (request) => answerOne(await groups.get(idIn(request))),
  },
  {
    method: 'PATCH',
    path: onePath,
    operationId: 'updateGroup',
    summary: `${groupOperations.update.summary} ${onlyVersion}`,
    body: { schema: change },
    answers: { 200: answer },
    async handle(request) {
      const { external_id, add_members, remove_members, ...given } = parse(change, await request.json());
      const named = { externalId: external_id, addMembers: add_members, removeMembers: remove_members };
      return answerOne(await groups.update({ ...idIn(request), ...versionIn(request), ...given, ...named }));
    },
  },
  {
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteGroup',
    summary: `${groupOperations.delete.summary} ${onlyVersion}`,
    answers: { 204: null },
    handle: (request) => answerDone(groups.delete({ ...idIn(request), ...versionIn(request) })),
  },
  {
    method: 'GET',
    path: `${onePath}/members`,
    operationId: 'listGroupMembers',
    summary: groupOperations.members.summary,
    query: pageQueryOf('members'),
    answers: { 200: z.array(wireSchema(shownUser)) },
    handle(request) {
      const { id } = idIn(request);
      const listing = { path: `${path}/${encodeURIComponent(id)}/members`, schema: memberQuery, parse };
      return answerPage(request, listing, async (_filters, page) => {
        const { members: found, next } = await groups.members({ id, ...page });
        return { body: found, next };
      });
    },
  },
];

/** The routes of the admin API for groups. `groups` and `parse` throw the errors that the caller gets. */
export const createGroupRoutes = (groups: GroupOperations, parse: Parse): readonly ManagementRoute[] => [
  ...collectionRoutes(groups, parse),
  ...oneGroupRoutes(groups, parse),
];
