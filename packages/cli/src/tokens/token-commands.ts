import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, onlyOperand, type Surface, texts } from '../command.ts';
import { connectIssuer, credentialOptions, refusalOf } from '../issuer.ts';
import { show, shownIds } from '../output.ts';

const tokenFrom = async (operands: readonly string[], surface: Surface): Promise<string> => {
  const [operand] = operands;
  if (operand !== undefined && operand !== '-') return onlyOperand(operands, 'token');
  return onlyOperand([(await surface.in?.())?.trim() ?? ''].filter(Boolean), 'token');
};

const introspectToken: Command = {
  name: 'introspect token',
  summary: 'Show whether a token is active, and its subject and client.',
  options: {
    scope: {
      type: 'string',
      multiple: true,
      value: 'scope',
      summary: 'A scope that the token must have to be active.',
    },
    ...adminOptions,
  },
  operands: '<token> | -',
  examples: [
    'carnet introspect token $TOKEN',
    'echo $TOKEN | carnet introspect token - --scope read --format json-pretty',
  ],
  run: async (values, surface, operands) => {
    const token = await tokenFrom(operands, surface);
    const scope = texts(values, 'scope').join(' ');
    const form = { token, ...(scope !== '' && { scope }) };
    const { body } = await connectAdmin(values, surface).call('POST', '/oauth2/introspect', { form });
    const { active, sub, client_id, scope: granted, token_use, exp } = body as Record<string, unknown>;
    const row = [active, sub, client_id, granted, token_use, exp && new Date(Number(exp) * 1000).toISOString()];
    await show(values, surface, {
      body,
      headers: ['ACTIVE', 'SUBJECT', 'CLIENT ID', 'SCOPE', 'TOKEN USE', 'EXPIRY'],
      rows: [row.map((value) => String(value ?? ''))],
      ids: [String(active)],
    });
  },
};

const revokeToken: Command = {
  name: 'revoke token',
  summary: 'Revoke an access or refresh token, as the client that it was issued to.',
  options: credentialOptions,
  operands: '<token> | -',
  examples: ['carnet revoke token --client-id machine --client-secret-file secret.txt $TOKEN'],
  run: async (values, surface, operands) => {
    const token = await tokenFrom(operands, surface);
    const { oidc, config } = await connectIssuer(values, surface);
    try {
      await oidc.tokenRevocation(config, token);
    } catch (error) {
      throw refusalOf(error);
    }
  },
};

const deleteAccessTokens: Command = {
  name: 'delete access-tokens',
  summary: 'Revoke every access token of a client.',
  options: adminOptions,
  operands: '<client id>',
  examples: ['carnet delete access-tokens machine'],
  run: async (values, surface, operands) => {
    const id = onlyOperand(operands, 'client id');
    await connectAdmin(values, surface).call('DELETE', '/oauth2/tokens', { query: { client_id: id } });
    await show(values, surface, shownIds([id]));
  },
};

export const tokenCommands = [introspectToken, revokeToken, deleteAccessTokens] as const;
