import { isLoopbackHost, SignerUnfitError } from '@carnet/signer-contract';

/** The parts of a URL with the scheme `awskms`. Credentials are never in it. */
export interface KmsAddress {
  /** Key ids, `alias/...` names and ARNs, at least one. */
  readonly keys: readonly string[];
  /** Default: that of the ARNs; otherwise the SDK's (`AWS_REGION`, the profile). */
  readonly region?: string | undefined;
  /** Default: the SDK's. */
  readonly endpoint?: string | undefined;
}

const example = 'awskms:alias/carnet?region=eu-west-1';
const advice =
  'AWS credentials belong to the environment, a profile or a role (the default chain of the AWS SDK), never to the URL.';

const keyPattern =
  /^(arn:aws[a-z-]*:kms:(?<region>[a-z0-9-]+):\d{12}:(key|alias)\/[\w/-]+|alias\/[\w/-]+|(mrk-)?[0-9a-f-]{32,36})$/;

const unfit = (problem: string): SignerUnfitError => new SignerUnfitError(`The awskms URL ${problem}`);

/** Key ids are not repeated in errors: a credential could be in their place. */
const parseKeys = (path: string) =>
  path.split(',').map((id, index) => {
    const match = keyPattern.exec(id);
    if (match === null) {
      throw unfit(
        `has no key id, \`alias/name\` or ARN at position ${index + 1}. Write it like \`${example}\`. ${advice}`,
      );
    }
    return { id, region: match.groups?.region };
  });

const parseEndpoint = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    throw unfit('has an `endpoint` that is no https URL.');
  }
  if (url.username !== '' || url.password !== '') throw unfit(`has credentials in \`endpoint\`. ${advice}`);
  // Temporary credentials send their session token as a header: without TLS, the network could read it.
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw unfit('has an `endpoint` without TLS on another machine. Use https.');
  }
  return text;
};

const parseParameters = (query: string) => {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (name === 'region' || name === 'endpoint') continue;
    throw unfit(`has a parameter other than \`region\` and \`endpoint\`. ${advice}`);
  }
  const region = parameters.get('region') ?? undefined;
  const endpoint = parameters.get('endpoint') ?? undefined;
  if (region !== undefined && !/^[a-z0-9-]+$/.test(region)) throw unfit('has a `region` that is none.');
  return { region, endpoint: endpoint === undefined ? undefined : parseEndpoint(endpoint) };
};

/**
 * Parses `awskms:<key id | alias/name | ARN>[,more]?region=...&endpoint=...`.
 *
 * @throws SignerUnfitError
 */
export const parseKmsUrl = (url: string): KmsAddress => {
  if (!url.startsWith('awskms:')) throw unfit(`must begin with \`awskms:\`, like \`${example}\`.`);
  const [path = '', query = '', ...rest] = url.slice('awskms:'.length).split('?');
  if (rest.length > 0) throw unfit('has more than one `?`.');
  const { region, endpoint } = parseParameters(query);
  const keys = parseKeys(path);
  const regions = new Set([region, ...keys.map((key) => key.region)].filter((each) => each !== undefined));
  if (regions.size > 1) throw unfit('names more than one region. List the keys of one region.');
  return { keys: keys.map(({ id }) => id), region: [...regions][0], endpoint };
};
