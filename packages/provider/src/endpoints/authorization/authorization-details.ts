import { type DetailTypes, problemOfDetails } from '../../clients/authorization-details.ts';
import type { ClientRecord } from '../../clients/client-record.ts';
import { CarnetError } from '../../errors.ts';
import { parseJson } from '../../http/strict-json.ts';
import { OAuthError } from '../../oauth-error.ts';

const invalid = (problem: string): OAuthError => new OAuthError('invalid_authorization_details', problem);

/** Duplicate members are refused: a consent app could show one, and a resource server could use the other. */
const parse = (text: string): unknown => {
  try {
    return parseJson(text, { what: 'authorization_details' });
  } catch (error) {
    throw error instanceof CarnetError ? invalid(error.description) : error;
  }
};

interface RequestWithDetails {
  readonly authorization_details?: string;
  readonly response_type?: string;
}

/**
 * Validates `authorization_details` (RFC 9396, section 2). The consent app gets them unchanged.
 *
 * @returns undefined for an empty list
 * @throws {OAuthError} `invalid_authorization_details`
 */
export const settleDetails = (
  { authorization_details: text, response_type: type }: RequestWithDetails,
  { metadata }: Pick<ClientRecord, 'metadata'>,
  { types }: { readonly types: DetailTypes },
): string | undefined => {
  if (text === undefined) return undefined;
  if (type !== 'code') throw invalid('authorization_details needs the response type code');
  const details = parse(text);
  const problem = problemOfDetails(details, types, metadata.authorization_details_types);
  if (problem !== undefined) throw invalid(`authorization_details ${problem}`);
  return (details as readonly unknown[]).length === 0 ? undefined : text;
};
