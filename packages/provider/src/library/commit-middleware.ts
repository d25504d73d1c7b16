import type { StorageAdapter } from '@carnet/adapter-contract';
import type { Context, Middleware } from 'koa';
import { CarnetError } from '../errors.ts';
import { isFlowPath } from '../flow/urls.ts';
import { writeOfGrant } from '../grants/grant-record.ts';
import { answerConflict } from '../interaction/commit.ts';
import type { UndoneBy } from '../storage/compose.ts';
import { conflictName, type StoppedCommit } from '../storage/stopped-commit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { FailureResponse } from './failure-response.ts';
import { attachState, requestIdOf, stateOf } from './request-state.ts';
import { refusedProof, respondWith } from './respond.ts';

export interface CommitDependencies {
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly undoneBy: UndoneBy;
  readonly logger: Logger;
  readonly failureResponse: FailureResponse;
}

/** Replaces the response by the error of the conflict. */
type ConflictResolution = (ctx: Context, stopped: StoppedCommit) => Promise<void> | void;

/**
 * The OAuth errors of conflicts, by the write whose condition failed. The grants handle those of the token endpoint.
 */
const conflictOf = (deps: { readonly issuer: string }): Readonly<Record<string, ConflictResolution>> => ({
  'merge:session': (ctx, stopped) => resolveFlow(ctx, stopped, deps.issuer),
  'claim:replay': (ctx, stopped) =>
    isFlowPath(ctx.path)
      ? resolveFlow(ctx, stopped, deps.issuer)
      : respondWith(ctx, refusedProof('DPoP proofs must only be used once')),
  'claim:session': (ctx, stopped) => resolveFlow(ctx, stopped, deps.issuer),
  // Signed out twice at once: the prepared response is sent.
  'consume:session': (ctx, stopped) => (isFlowPath(ctx.path) ? resolveFlow(ctx, stopped, deps.issuer) : undefined),
});

/** Replaces the response of a flow that oidc-provider has formed. */
const resolveFlow = async (ctx: Context, stopped: StoppedCommit, issuer: string): Promise<void> => {
  const { flow, uow, onCommitted: afterCommit = () => {} } = stateOf(ctx);
  const response = flow && (await answerConflict({ flow, isUnderWay: false, uow, afterCommit }, stopped, issuer));
  if (response) respondWith(ctx, response);
};

/** The grant is written last, and lives as long as the longest-lived of its tokens. */
const writeGrant = (ctx: Context): void => {
  const { grant, uow } = stateOf(ctx);
  const write = grant && writeOfGrant(grant);
  if (write) uow.write(write);
};

/**
 * Whether the response is no error response. A redirect with an OAuth error is treated as success: its unit of work
 * contains only writes that belong to it.
 */
const hasSucceeded = (ctx: Context): boolean => ctx.status < 400;

/** One unit of work a request, and one commit before the first byte of the response. */
export const createCommitMiddleware = (deps: CommitDependencies): Middleware => {
  const resolutions = conflictOf(deps);

  const commit = async (ctx: Context): Promise<void> => {
    const { uow } = stateOf(ctx);
    if (hasSucceeded(ctx)) writeGrant(ctx);
    const writes = uow.writes();
    const conflict = await uow.commit(hasSucceeded(ctx) ? 'succeeded' : 'failed');
    if (conflict === undefined) {
      stateOf(ctx).onCommitted?.();
      return;
    }
    deps.logger.info({ conflict: conflictName(conflict), reason: conflict.reason }, 'commit conflict');
    const resolve = resolutions[conflictName(conflict)];
    if (resolve === undefined) throw new CarnetError('server_error', `unforeseen conflict: ${conflictName(conflict)}`);
    await resolve(ctx, { conflict, undone: deps.undoneBy(conflict, writes) });
  };

  return async (ctx, next) => {
    const state = attachState(ctx, deps.adapter);
    try {
      await next();
      // oidc-provider turns the failure into a server_error. Throwing it again returns the correct error of an outage
      // (D12).
      if (state.failure) throw state.failure;
      await commit(ctx);
    } catch (error) {
      respondWith(ctx, deps.failureResponse(error, { path: ctx.path, requestId: requestIdOf(ctx) }));
    }
  };
};
