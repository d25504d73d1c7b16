import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { type DetailTypes, problemOfDetails } from '../../clients/authorization-details.ts';
import { CarnetError } from '../../errors.ts';
import { parseJson } from '../../http/strict-json.ts';
import { recordOf } from '../clients.ts';
import type { Feature } from './feature.ts';

const code = 'invalid_authorization_details';

const invalid = (problem: string): Error =>
  new errors.CustomOIDCProviderError(code, `authorization_details ${problem}`);

/** Duplicate members are refused: a consent app could show one, and a resource server could use the other. */
const parse = (text: string): unknown => {
  try {
    return parseJson(text, { what: 'authorization_details' });
  } catch (error) {
    throw error instanceof CarnetError ? new errors.CustomOIDCProviderError(code, error.description) : error;
  }
};

/** Validates `authorization_details`. An empty list is removed. The consent app gets the rest unchanged. */
const check =
  (types: DetailTypes) =>
  (ctx: KoaContextWithOIDC, value: unknown): void => {
    const { client, params } = ctx.oidc;
    if (typeof value !== 'string' || client === undefined || params === undefined) return;
    if (params.response_type !== 'code') throw invalid('needs the response type code');
    const details = parse(value);
    const problem = problemOfDetails(details, types, recordOf(client).metadata.authorization_details_types);
    if (problem !== undefined) throw invalid(problem);
    if ((details as readonly unknown[]).length === 0) params.authorization_details = undefined;
  };

/**
 * Rich authorization requests (RFC 9396). oidc-provider's own implementation needs a resource server for each detail.
 * In Carnet the consent app grants them, like scopes.
 */
export const rar: Feature = {
  name: 'rar',
  clientFields: { authorization_details_types: (types) => Array.isArray(types) && types.length > 0 },
  create: ({ options }) => {
    const { types } = options.features.rar;
    return {
      configuration: {
        extraParams: { authorization_details: check(types) },
        discovery: { authorization_details_types_supported: Object.keys(types) } as never,
      },
    };
  },
};
