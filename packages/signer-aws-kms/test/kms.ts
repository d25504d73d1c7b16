import {
  CreateAliasCommand,
  CreateKeyCommand,
  type KeySpec,
  type KeyUsageType,
  KMSClient,
  UpdateAliasCommand,
} from '@aws-sdk/client-kms';

export const region = 'eu-west-1';

export const credentials = ['AKIAEXAMPLE', 'hunter2', 'session-token'] as const;

/** Puts credentials where the SDK's default chain looks first. */
export const useCredentials = (): void => {
  const [id, secret, token] = credentials;
  process.env.AWS_ACCESS_KEY_ID = id;
  process.env.AWS_SECRET_ACCESS_KEY = secret;
  process.env.AWS_SESSION_TOKEN = token;
};

/** The administrator of the keys at an endpoint. */
export const openAdministrator = (endpoint: string) => {
  const client = new KMSClient({ endpoint, region });
  return {
    client,
    /** @returns the ARN of the new key */
    async createKey(spec: KeySpec, usage: KeyUsageType = 'SIGN_VERIFY'): Promise<string> {
      const { KeyMetadata } = await client.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage: usage }));
      return KeyMetadata?.Arn as string;
    },
    async createAlias(alias: string, arn: string): Promise<void> {
      await client.send(new CreateAliasCommand({ AliasName: alias, TargetKeyId: arn }));
    },
    async moveAlias(alias: string, arn: string): Promise<void> {
      await client.send(new UpdateAliasCommand({ AliasName: alias, TargetKeyId: arn }));
    },
  };
};

/** No call of a test takes that long. */
export const patient = () => ({ signal: AbortSignal.timeout(15_000) });

/** The id in an ARN. moto takes an ARN in few of the administrator's calls. */
export const idOf = (arn: string): string => arn.split('/').at(-1) ?? '';
