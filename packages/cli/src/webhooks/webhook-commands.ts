import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes, onlyOperand } from '../command.ts';
import { show, shownIds } from '../output.ts';

interface ServedWebhook {
  readonly name: string;
  readonly types?: readonly string[];
  readonly state: string;
  readonly retries: number;
  readonly failed: number;
  readonly handled_through?: string;
}

const pathOf = (name: string): string => `/webhooks/${encodeURIComponent(name)}`;

const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List the webhooks of a running server, and whether they get their events.',
  options: adminOptions,
  examples: ['carnet webhooks list'],
  run: async (values, surface) => {
    const { body } = await connectAdmin(values, surface).call('GET', '/webhooks');
    const webhooks = body as readonly ServedWebhook[];
    await show(values, surface, {
      body,
      headers: ['NAME', 'STATE', 'RETRIES', 'FAILED', 'HANDLED THROUGH', 'TYPES'],
      rows: webhooks.map(({ name, state, retries, failed, handled_through: through = '', types = [] }) => [
        ...[name, state, `${retries}`, `${failed}`],
        ...[through, types.join(' ')],
      ]),
      ids: webhooks.map(({ name }) => name),
      isList: true,
    });
    return exitCodes.ok;
  },
};

const webhooksTest: Command = {
  name: 'webhooks test',
  summary: 'Send a test event to a webhook of a running server. Exit code 1 if it is not delivered.',
  options: adminOptions,
  operands: '<name>',
  examples: ['carnet webhooks test crm'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, 'name of a webhook');
    const { body } = await connectAdmin(values, surface).call('POST', `${pathOf(name)}/test`);
    const { status, reason = '' } = body as { readonly status: string; readonly reason?: string };
    await show(values, surface, {
      body,
      headers: ['NAME', 'STATUS', 'REASON'],
      rows: [[name, status, reason]],
      ids: [name],
    });
    return status === 'delivered' ? exitCodes.ok : exitCodes.failed;
  },
};

const webhooksRetry: Command = {
  name: 'webhooks retry',
  summary: 'Have the failed events of a webhook sent again, and switch it on if it has answered 410.',
  options: adminOptions,
  operands: '<name>',
  examples: ['carnet webhooks retry crm'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, 'name of a webhook');
    await connectAdmin(values, surface).call('POST', `${pathOf(name)}/retry`);
    await show(values, surface, shownIds([name]));
    return exitCodes.ok;
  },
};

/** The commands about the webhooks of a running server. */
export const webhookCommands = [webhooksList, webhooksTest, webhooksRetry] as const;
