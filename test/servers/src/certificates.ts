import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
  /** SHA-256 of its DER, base64url (RFC 8705, section 3.1). */
  readonly thumbprint: string;
}

interface Subject {
  readonly subject: string;
  readonly alternativeNames?: string;
  /** The lifetime. A certificate with a negative one has expired already. Default: 2. */
  readonly days?: number;
}

interface SelfSigned extends Omit<Subject, 'days'> {
  /** The type of its key. Default: P-256. */
  readonly key?: 'ec' | 'rsa';
}

const openssl = (folder: string, ...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
};

const load = (folder: string, name: string): Certified => {
  const cert = readFileSync(join(folder, `${name}.pem`), 'utf8');
  const key = readFileSync(join(folder, `${name}.key`), 'utf8');
  const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '');
  return { cert, key, thumbprint: Buffer.from(fingerprint, 'hex').toString('base64url') };
};

const keyArgs = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const;

/** An authority of the tests, by the openssl command, in a folder of its own. */
export const openAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-certificates-'));
  let count = 0;

  const selfSigned = ({ subject, alternativeNames, key = 'ec' }: SelfSigned): Certified => {
    count += 1;
    const name = `self-${count}`;
    const extensions = alternativeNames === undefined ? [] : ['-addext', `subjectAltName=${alternativeNames}`];
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const keyType = key === 'ec' ? keyArgs : ['-newkey', 'rsa:2048', '-nodes'];
    openssl(folder, 'req', '-x509', ...keyType, '-days', '2', '-subj', subject, '-utf8', ...extensions, ...files);
    return load(folder, name);
  };

  openssl(
    folder,
    ...['req', '-x509', ...keyArgs, '-days', '2', '-subj', '/CN=Authority of the tests'],
    ...['-keyout', 'ca.key', '-out', 'ca.pem'],
  );

  const issued = ({ subject, alternativeNames = 'DNS:unnamed.test', days = 2 }: Subject): Certified => {
    count += 1;
    const name = `issued-${count}`;
    openssl(folder, 'req', ...keyArgs, '-subj', subject, '-utf8', '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${alternativeNames}\n`);
    openssl(
      folder,
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', `${days}`, '-extfile', `${name}.ext`, '-out', `${name}.pem`],
    );
    return load(folder, name);
  };

  return {
    folder,
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    selfSigned,
    issued,
    /** Where nginx finds them. */
    paths: (certified: Certified) => {
      writeFileSync(join(folder, 'server.pem'), certified.cert);
      writeFileSync(join(folder, 'server.key'), certified.key);
      return { cert: join(folder, 'server.pem'), key: join(folder, 'server.key'), ca: join(folder, 'ca.pem') };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};
