/** The parts of Kubernetes objects that the tests read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another shape, which the validator checks.
  readonly spec?: any;
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
}

export interface Pod {
  readonly owner: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly terminationGracePeriodSeconds?: number;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
}

/** The pods of all Deployments, Jobs and Pods. */
export const podsOf = (objects: readonly KubernetesObject[]): readonly Pod[] =>
  objects.flatMap(({ kind, metadata, spec }) => {
    const owner = `${kind}/${metadata.name}`;
    if (kind === 'Pod') return [{ owner, labels: metadata.labels ?? {}, spec }];
    if (spec?.template === undefined) return [];
    return [{ owner, labels: spec.template.metadata.labels, spec: spec.template.spec }];
  });

export const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
];

/** The object of a kind and name. @throws Error if it is not there */
export const objectOf = (objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind}/${name}`);
  return found;
};

/** The decoded data of a Secret. */
export const secretData = ({ data = {} }: KubernetesObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

/** The environment variables of a container, with those of Secrets among the objects. */
export const environmentOf = (objects: readonly KubernetesObject[], container: Container): Record<string, string> => {
  const fromSecrets = (container.envFrom ?? []).map(({ secretRef }) =>
    secretData(objectOf(objects, 'Secret', secretRef.name)),
  );
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => {
    if (valueFrom === undefined) return [name, value ?? ''];
    const { name: secret, key } = valueFrom.secretKeyRef;
    const found = secretData(objectOf(objects, 'Secret', secret))[key];
    if (found === undefined) throw new Error(`${name}: Secret/${secret} has no ${key}`);
    return [name, found];
  });
  return Object.assign({}, ...fromSecrets, Object.fromEntries(own));
};
