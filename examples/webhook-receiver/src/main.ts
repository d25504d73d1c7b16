import { createReceiver } from './receiver.ts';

const { PORT = '9000', WEBHOOK_SECRET = '' } = process.env;
if (!WEBHOOK_SECRET.startsWith('whsec_'))
  throw new Error('Set WEBHOOK_SECRET to the secret of the webhook (whsec_...).');

const receiver = createReceiver({
  secret: WEBHOOK_SECRET,
  handle: async ({ id, type, data }) => console.log(id, type, JSON.stringify(data)),
});
receiver.listen(Number(PORT), '127.0.0.1', () => console.log(`Receives events at http://127.0.0.1:${PORT}`));
