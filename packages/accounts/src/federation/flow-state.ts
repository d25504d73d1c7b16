import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Vault } from '../second-factors/index.ts';
import { createSealedCodec, digest } from '../sign-in/sealed.ts';
import { proofLifetimeMs } from '../store/index.ts';

/** A sign-in at a provider, between `begin` and `finish`. */
export interface Flow {
  readonly provider: string;
  readonly binding: string;
  readonly remember: boolean;
  readonly maxAge: number | undefined;
  /** Whether the request asked for a new sign-in (`prompt=login`). */
  readonly isLoginForced: boolean;
  /** The user to whom the identity is to be linked. */
  readonly linkTo: string | undefined;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

export interface FlowStates {
  /** The `state` of the request. `cookie`: the secret of the browser. */
  seal(flow: Omit<Flow, 'begunAt'>, cookie: string): string;
  /** The flow of a state that this server has sealed. It proves nothing about the browser. */
  read(state: string): Flow | undefined;
  /** The flow, if it began in this browser. */
  open(state: string, cookie: string): Flow | undefined;
}

/** Names of one letter: the state travels in the URL beside the login challenge. */
const schema = z.object({
  p: z.string(),
  c: z.string(),
  b: z.number(),
  r: z.literal(1).optional(),
  m: z.number().optional(),
  f: z.literal(1).optional(),
  l: z.string().optional(),
});

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * The state of sign-ins at providers: `<sealed>.<binding>`. Nothing is stored.
 *
 * Safe against CSRF and fixation because the sealed part contains the hash of a secret that only the browser that began has:
 * `open` refuses an answer in any other browser. Safe against the state of another flow because the hash of the binding is
 * authenticated with it. Safe against a mix-up of providers because it names the provider.
 */
export const createFlowStates = (vault: Vault, now: () => number): FlowStates => {
  const codec = createSealedCodec(vault, 'provider-state', schema);
  const decode = (state: string): { readonly flow: Flow; readonly cookieHash: string } | undefined => {
    const dot = state.indexOf('.');
    const binding = state.slice(dot + 1);
    const content = dot === -1 ? undefined : codec.open(state.slice(0, dot), binding);
    if (content === undefined || content.b + proofLifetimeMs <= now()) return undefined;
    const { p: provider, c: cookieHash, b: begunAt, m: maxAge, l: linkTo } = content;
    const flow = { provider, binding, begunAt, maxAge, linkTo };
    return { flow: { ...flow, remember: content.r === 1, isLoginForced: content.f === 1 }, cookieHash };
  };
  return {
    seal: ({ provider, binding, remember, maxAge, isLoginForced, linkTo }, cookie) => {
      const flags = { ...(remember && { r: 1 as const }), ...(isLoginForced && { f: 1 as const }) };
      return `${codec.seal({ p: provider, c: digest(cookie), b: now(), m: maxAge, l: linkTo, ...flags }, binding)}.${binding}`;
    },
    read: (state) => decode(state)?.flow,
    open: (state, cookie) => {
      const decoded = decode(state);
      return decoded !== undefined && isSame(decoded.cookieHash, digest(cookie)) ? decoded.flow : undefined;
    },
  };
};
