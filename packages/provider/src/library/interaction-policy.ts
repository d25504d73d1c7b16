import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import { promptValues } from '../interaction/policy.ts';
import { spaceDelimitedAll } from '../text/space-delimited.ts';
import { recordOf } from './clients.ts';
import { rememberFailure, stateOf } from './request-state.ts';
import { stringParams } from './string-params.ts';

const { Check, Prompt } = interactionPolicy;

/** Begins a flow with the request that oidc-provider has validated. */
const beginFlow = async (ctx: KoaContextWithOIDC, { begin }: Pick<FlowEngine, 'begin'>): Promise<void> => {
  const { client, params: sent = {} } = ctx.oidc;
  const request = stateOf(ctx);
  const { pushed, redirectUriOmitted, extra } = request;
  const resource = spaceDelimitedAll(sent.resource).join(' ') || undefined;
  const flow = { params: stringParams({ ...sent, resource }), pushedId: pushed?.id, redirectUriOmitted, extra };
  const quotaExemption = pushed?.isAuthenticated ? pushed.id : undefined;
  const begun = await begin(flow, recordOf(client as object), request, { quotaExemption });
  if ('refused' in begun) {
    throw new errors.CustomOIDCProviderError(begun.refused.error, begun.refused.description as string);
  }
  request.next = begun.next;
  // The flow engine keeps `prompt=none`: without this, oidc-provider would refuse the request.
  Object.assign(sent, { prompt: undefined });
};

/**
 * Makes oidc-provider require an interaction when a flow begins, and none when it forms the response of a flow. The
 * flow engine decides everything in between.
 */
export const createInteractionPolicy = (
  engine: Pick<FlowEngine, 'begin'>,
): InstanceType<typeof interactionPolicy.Prompt>[] => {
  const begins = new Check('flow', 'a flow begins', 'login_required', async (ctx) => {
    const request = stateOf(ctx);
    if (request.flow) return false;
    await rememberFailure(request, () => beginFlow(ctx, engine));
    return true;
  });
  const [first, ...others] = promptValues
    .filter((name) => name !== 'none')
    .map((name) => {
      const prompt = new Prompt({ name, requestable: true });
      prompt.checks.splice(0);
      return prompt;
    });
  first?.checks.push(begins);
  return [first, ...others].filter((prompt) => prompt !== undefined);
};
