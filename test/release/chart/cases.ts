const issuer = 'https://id.example.com';
const storage = { default: 'postgres://carnet:database-password@postgres/carnet' };

/** The least values that the chart accepts. */
export const least = { carnet: { config: { issuer, storage } } };

const ownPages = { login: 'https://login.example.com/login', consent: 'https://login.example.com/consent' };

const loginApp = { podSelector: { matchLabels: { app: 'login' } } };
const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };

const everything = {
  replicaCount: 3,
  image: { registry: 'registry.example.com', repository: 'id/carnet', digest: `sha256:${'a'.repeat(64)}` },
  imagePullSecrets: [{ name: 'pull' }],
  nameOverride: 'id',
  commonLabels: { team: 'identity' },
  priorityClassName: 'high',
  carnet: {
    config: {
      clients: [
        {
          ...{ client_id: 'shop.app', client_secret: 'the-secret-of-the-shop', grant_types: ['client_credentials'] },
          response_types: [],
        },
        {
          client_id: 'https://app.example.com/id',
          client_secret: 'the-secret-of-the-app',
          redirect_uris: ['https://app.example.com/cb'],
        },
      ],
      issuer: 'https://id.example.com/op',
      public: { host: '::', port: 8080 },
      admin: { host: '::', port: 8081 },
      http: { trustedProxies: ['10.0.0.0/8'], shutdownSeconds: 20 },
      storage: { ...storage, flows: 'redis://:redis-password@redis' },
      accounts: {
        directories: [
          { kind: 'sql', name: 'users' },
          {
            ...{ kind: 'ldap', name: 'the-staff', urls: ['ldaps://ldap.example.com'], realms: ['example.com'] },
            ...{ base: 'dc=example,dc=com', bindDn: 'cn=reader,dc=example,dc=com', bindPassword: 'ldap-password' },
          },
        ],
        providers: [
          {
            ...{ name: 'head-office', kind: 'oidc', issuer: 'https://idp.example.com' },
            ...{ clientId: 'carnet', clientSecret: 'provider-secret' },
          },
        ],
      },
    },
    automigration: { type: 'initContainer' },
  },
  secret: { annotations: { 'example.com/kept': 'yes' } },
  service: {
    public: {
      type: 'LoadBalancer',
      port: 80,
      loadBalancerIP: '192.0.2.1',
      annotations: { a: 'b' },
      labels: { c: 'd' },
    },
    admin: { type: 'NodePort', allowExposure: true, name: 'http-admin', labels: { e: 'f' } },
  },
  ingress: {
    public: {
      enabled: true,
      className: 'nginx',
      annotations: { 'cert-manager.io/cluster-issuer': 'public' },
      tls: [{ secretName: 'id-tls', hosts: ['id.example.com'] }],
    },
    admin: {
      enabled: true,
      allowExposure: true,
      className: 'internal',
      hosts: [{ host: 'admin.example.com', paths: [{ path: '/' }] }],
      tls: [{ secretName: 'admin-tls', hosts: ['admin.example.com'] }],
    },
  },
  gateway: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
  deployment: {
    labels: { x: 'y' },
    annotations: { x: 'y' },
    extraEnv: [{ name: 'LOG_LEVEL', value: '{{ "debug" }}' }],
    extraVolumes: [{ name: 'extra', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
    extraInitContainers: [{ name: 'wait', image: 'busybox', command: ['true'] }],
    extraContainers: [{ name: 'sidecar', image: 'busybox', command: ['sleep', '1d'] }],
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    schedulerName: 'other',
    runtimeClassName: 'gvisor',
    serviceAccount: { name: 'identity', annotations: { role: 'identity' } },
    customReadinessProbe: { httpGet: { path: '/health/ready', port: 'http-public' } },
  },
  job: { serviceAccountName: 'migrations', labels: { x: 'y' }, annotations: { x: 'y' } },
  ui: {
    url: 'https://login.example.com',
    config: { UI_NAME: 'Example', REMEMBER_FOR_SECONDS: 60 },
    extraEnv: [{ name: 'CONSENT_TICKED', value: '0' }],
    service: { annotations: { a: 'b' }, labels: { c: 'd' } },
  },
  networkPolicy: { public: { from: [monitoring] }, admin: { from: [loginApp] }, metrics: { from: [monitoring] } },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
};

const nothing = {
  carnet: { config: { issuer, storage, urls: ownPages }, automigration: { enabled: false } },
  replicaCount: 1,
  service: { public: { enabled: false } },
  deployment: { serviceAccount: { create: false }, lifecycle: { preStopSleepSeconds: 0 } },
  ui: { enabled: false },
  pdb: { enabled: false },
  networkPolicy: { enabled: false },
};

/** Values that the chart accepts. */
export const accepted: Readonly<Record<string, object>> = {
  'the least values': least,
  everything,
  'as little as possible': nothing,
  'own pages': {
    carnet: { config: { issuer, storage, urls: ownPages } },
    ui: { enabled: false },
    networkPolicy: { admin: { from: [loginApp] } },
  },
  'an own Secret': {
    carnet: { config: { issuer } },
    secret: { enabled: false, nameOverride: 'own' },
    ui: { secret: { nameOverride: 'own-ui' } },
  },
  autoscaling: {
    ...least,
    deployment: {
      autoscaling: {
        enabled: true,
        targetMemory: { type: 'AverageValue', averageValue: '400Mi' },
        behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
      },
    },
  },
  'a Gateway': { ...least, gateway: { enabled: true, parentRefs: [{ name: 'public' }] } },
  'SQLite on a volume': {
    carnet: { config: { issuer, storage: { default: 'sqlite:/var/lib/carnet/carnet.db' } } },
    replicaCount: 1,
    persistence: { enabled: true, storageClass: 'fast' },
  },
  'users of an own service': {
    carnet: {
      config: {
        issuer,
        storage: { default: 'redis://redis/0' },
        accounts: {
          directories: [{ name: 'own', kind: 'http', url: 'https://users.example.com/check' }],
          secondFactors: { policy: 'none' },
        },
      },
    },
  },
};

const withConfig = (config: object, values: object = {}): object => ({
  carnet: { config: { issuer, storage, ...config } },
  ...values,
});

const adminToken = 'A caller with the admin token can sign in as any user.';

/** Values that the chart refuses, with the message. */
export const refused: readonly (readonly [name: string, values: object, message: string])[] = [
  ['no issuer', { carnet: { config: { storage } } }, 'carnet.config.issuer is missing. Set it to the https URL'],
  ['an issuer without TLS', withConfig({ issuer: 'http://id.example.com' }), 'It must be an https URL'],
  ['no database', { carnet: { config: { issuer } } }, 'carnet.config.storage.default is missing.'],
  ['a store in memory', withConfig({ storage: { default: 'memory:' } }), 'is memory:, which loses all data'],
  [
    'one kind of records in memory',
    withConfig({ storage: { ...storage, flows: 'memory:' } }),
    'carnet.config.storage.flows is memory:',
  ],
  [
    'SQLite with two pods',
    withConfig({ storage: { default: 'sqlite:/var/lib/carnet/carnet.db' } }, { persistence: { enabled: true } }),
    'is SQLite, which several pods cannot share. Set replicaCount to 1',
  ],
  [
    'SQLite with autoscaling',
    withConfig(
      { storage: { default: 'sqlite:/var/lib/carnet/carnet.db' } },
      { replicaCount: 1, persistence: { enabled: true }, deployment: { autoscaling: { enabled: true } } },
    ),
    'deployment.autoscaling.enabled to false',
  ],
  [
    'SQLite without a volume',
    withConfig({ storage: { default: 'sqlite:carnet.db' } }, { replicaCount: 1 }),
    'Set persistence.enabled to true',
  ],
  [
    'SQLite beside the volume',
    withConfig({ storage: { default: 'sqlite:/tmp/carnet.db' } }, { replicaCount: 1, persistence: { enabled: true } }),
    'is not on the volume',
  ],
  [
    'autoscaling without a request',
    { ...least, deployment: { resources: { requests: null }, autoscaling: { enabled: true } } },
    'Set deployment.resources.requests.cpu.',
  ],
  [
    'autoscaling without a target',
    { ...least, deployment: { autoscaling: { enabled: true, targetCPU: null } } },
    'deployment.autoscaling has no target.',
  ],
  [
    'autoscaling to fewer pods',
    { ...least, deployment: { autoscaling: { enabled: true, minReplicas: 4, maxReplicas: 3 } } },
    'maxReplicas is less than minReplicas',
  ],
  [
    'an Ingress of the admin API',
    { ...least, ingress: { admin: { enabled: true, hosts: [{ host: 'admin.example.com' }] } } },
    `ingress.admin.enabled exposes the admin API. ${adminToken}`,
  ],
  [
    'an admin Ingress without a host',
    { ...least, ingress: { admin: { enabled: true, allowExposure: true } } },
    'ingress.admin.hosts is empty.',
  ],
  [
    'a load balancer of the admin API',
    { ...least, service: { admin: { type: 'LoadBalancer' } } },
    `service.admin.type is LoadBalancer, which exposes the admin API. ${adminToken}`,
  ],
  ['dev mode', withConfig({ dev: true }), 'carnet.config.dev: development mode'],
  ['a listener that no probe reaches', withConfig({ admin: { host: '127.0.0.1' } }), 'not even the probes'],
  ['two listeners on one port', withConfig({ admin: { port: 4444 } }), 'is also carnet.config.public.port'],
  ['keys in the ConfigMap', withConfig({ keys: { jwks: { keys: [] } } }), 'would put private keys into a ConfigMap'],
  [
    'no pages',
    withConfig({}, { ui: { enabled: false } }),
    'Set carnet.config.urls.login and carnet.config.urls.consent',
  ],
  [
    'own pages that the policy locks out',
    withConfig({ urls: ownPages }, { ui: { enabled: false } }),
    'networkPolicy.admin.from is empty',
  ],
  ['pages without TLS', { ...least, ui: { url: 'http://login.example.com' } }, 'ui.url must be an https URL'],
  [
    'users of the pages alone',
    { ...least, ui: { config: { USER_DIRECTORY_URL: 'https://users.test/' } } },
    'ui.config.USER_DIRECTORY_URL is no longer read',
  ],
  [
    'a secret of the pages',
    { ...least, ui: { config: { UI_COOKIE_SECRET: 'x' } } },
    'ui.config.UI_COOKIE_SECRET is a secret',
  ],
  [
    'the token of the admin API in a manifest',
    { ...least, ui: { config: { CARNET_ADMIN_TOKEN: 'x' } } },
    'ui.config.CARNET_ADMIN_TOKEN is a secret',
  ],
  [
    'the hash of a secret in the ConfigMap',
    withConfig({ clients: [{ client_id: 'shop', client_secret_hash: '$2b$10$' }] }),
    'client_secret_hash of shop would be in a ConfigMap.',
  ],
  [
    'two clients with one variable',
    withConfig({
      clients: [
        { client_id: 'shop-app', client_secret: 'the-secret-of-the-shop' },
        { client_id: 'shop_app', client_secret: 'another-secret-of-a-shop' },
      ],
    }),
    'shop-app and shop_app have the same variable CLIENT_SHOP_APP_SECRET',
  ],
  [
    'pages without the admin API',
    { ...least, service: { admin: { enabled: false } } },
    'Set service.admin.enabled to true.',
  ],
  [
    'pages without users',
    withConfig({ storage: { default: 'redis://redis' } }),
    'carnet.config.accounts.database is missing',
  ],
  [
    'secrets without a Secret',
    { ...least, secret: { enabled: false, nameOverride: 'own' } },
    'Put it into your own Secret with the key DATABASE_URL.',
  ],
  [
    'no name of the own Secret',
    { ...least, secret: { enabled: false } },
    'Name your own Secret in secret.nameOverride.',
  ],
  [
    'a short grace period',
    withConfig({ http: { shutdownSeconds: 60 } }),
    'Set it to 70 or more: lifecycle.preStopSleepSeconds',
  ],
  ['a route without a Gateway', { ...least, gateway: { enabled: true } }, 'gateway.parentRefs is empty.'],
  [
    'an Ingress without a Service',
    { ...least, service: { public: { enabled: false } }, ingress: { public: { enabled: true } } },
    'Set service.public.enabled to true.',
  ],
  [
    'metrics that the policy locks out',
    { ...least, serviceMonitor: { enabled: true } },
    'networkPolicy.metrics.from is empty',
  ],
  ['a value that does not exist', { ...least, replicas: 2 }, "additional properties 'replicas' not allowed"],
  ['a key that Carnet does not have', withConfig({ isuer: 'x' }), "additional properties 'isuer' not allowed"],
  ['a value of the wrong type', { ...least, replicaCount: 'two' }, 'want integer'],
];
