import { decodeState } from '../../src/flow/state-codec.ts';
import { sealerOf } from '../walk.ts';
import type { Mask } from './mask.ts';

const sealed = /eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/g;
const flowCookie = /(carnet(?:_[\w-]{6})?_flow_)([\w-]{22})=([\w-]{43})/g;
const stored = /"id":"[^"]+","kind":"flow"/g;

const purposes = ['login_challenge', 'consent_challenge', 'authorization_code', 'spilled_state'] as const;

/**
 * Opens what is sealed, and says of a flow that has just begun only that: the two instances number theirs by chance. What
 * a flow's cookie proves is proven.
 */
export const createFlowMask = (issuer: () => string): Mask & { readonly known: Set<string> } => {
  const known = new Set<string>();
  const idOf = (id: string): string => (known.has(id) ? id : 'new flow');

  const textOf = (token: string): string => {
    const { open } = sealerOf(issuer());
    for (const purpose of purposes) {
      const bytes = open(purpose, token);
      if (bytes === undefined) continue;
      const decoded = decodeState(bytes);
      const state = decoded.isReference
        ? { isReference: true, id: idOf(decoded.id), expiresAt: decoded.expiresAt }
        : { ...decoded.state, id: idOf(decoded.state.id) };
      return `<${purpose} ${encodeURIComponent(JSON.stringify(state))}>`;
    }
    return token;
  };

  const mask: Mask = (text) =>
    text
      .replace(sealed, textOf)
      .replace(stored, '"kind":"flow"')
      .replace(flowCookie, (_pair, name: string, id: string, mac: string) => {
        const isRight = sealerOf(issuer()).keys.verifyMac('flow_cookie', id, mac);
        return `${name}<${idOf(id)}>=<${isRight ? 'right' : 'WRONG'}>`;
      });
  return Object.assign(mask, { known });
};
