import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Listening, listen } from './listen.ts';

export interface RegistryOptions {
  /** Whether a name is published here only. The upstream registry is never asked for it. */
  readonly isOwn: (name: string) => boolean;
  /** The registry of all other packages, for example `https://registry.npmjs.org/`. */
  readonly upstream: string;
}

export interface TestRegistry {
  /** For npm's setting `registry`; it ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** The document of a package, as `GET /<name>` returns it. */
interface Packument {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, { readonly dist: Readonly<Record<string, unknown>> }>>;
}

/** The body of `npm publish`: one version and its tarball. */
interface Publication extends Packument {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const createStore = (url: () => string) => {
  const packuments = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();

  const publish = ({ name, versions, _attachments, 'dist-tags': tags }: Publication): Answer => {
    const [version = '', manifest] = Object.entries(versions)[0] ?? [];
    const [attachment] = Object.values(_attachments);
    if (manifest === undefined || attachment === undefined) return { status: 400, body: { error: 'no version' } };
    const known = packuments.get(name);
    // As at npm: a published version never changes.
    if (known?.versions[version]) return { status: 403, body: { error: `${name}@${version} was published before` } };
    const path = `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
    tarballs.set(path, Buffer.from(attachment.data, 'base64'));
    packuments.set(name, {
      name,
      'dist-tags': { ...known?.['dist-tags'], ...tags },
      versions: {
        ...known?.versions,
        [version]: { ...manifest, dist: { ...manifest.dist, tarball: `${url()}${path}` } },
      },
    });
    return { status: 201, body: { ok: true } };
  };

  const read = (path: string): Answer => {
    const body = tarballs.get(path) ?? packuments.get(path);
    return body === undefined ? { status: 404, body: { error: `there is no ${path}` } } : { status: 200, body };
  };
  return { publish, read };
};

const send = (res: ServerResponse, { status, body }: Answer): void => {
  const isTarball = Buffer.isBuffer(body);
  // Another registry may have had this port: npm must not keep an answer beyond this one.
  res.writeHead(status, {
    'cache-control': 'no-store',
    'content-type': isTarball ? 'application/octet-stream' : 'application/json',
  });
  res.end(isTarball ? body : JSON.stringify(body));
};

/** The package that a path names: `@scope/name` or `name`, with or without the rest. */
const nameIn = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '';

/**
 * Starts a registry for npm on a free port of 127.0.0.1. It keeps the packages that are published to it in memory, and
 * redirects to the upstream registry for all others, so that npm's own cache serves them.
 *
 * `npm publish` needs a token for it; any will do.
 */
export const startRegistry = async ({ isOwn, upstream }: RegistryOptions): Promise<TestRegistry> => {
  const store = createStore(() => `${server.origin}/`);

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = decodeURIComponent((req.url ?? '/').slice(1).replace(/\?.*$/, ''));
    if (!isOwn(nameIn(path))) {
      res.writeHead(307, { location: new URL((req.url ?? '/').slice(1), upstream).href }).end();
    } else if (req.method === 'PUT') {
      send(res, store.publish((await json(req)) as Publication));
    } else {
      send(res, store.read(path));
    }
  };

  const server: Listening = await listen((req, res) => {
    answer(req, res).catch((error) => send(res, { status: 500, body: { error: String(error) } }));
  });
  return { url: `${server.origin}/`, close: server.close };
};
