import type { KubernetesObject } from './objects.ts';

type Labels = Readonly<Record<string, string>>;
interface Selector {
  readonly matchLabels?: Labels;
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
}
interface IngressRule {
  readonly from?: readonly Peer[];
  readonly ports?: readonly { readonly port: string }[];
}

export interface Caller {
  readonly pod: Labels;
  /** The labels of its namespace. Default: the namespace of the policies. */
  readonly namespace?: Labels;
}

const own: Labels = { 'kubernetes.io/metadata.name': 'carnet' };

const matches = ({ matchLabels = {} }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

const isPeer = ({ podSelector, namespaceSelector }: Peer, { pod, namespace = own }: Caller): boolean =>
  (namespaceSelector === undefined ? namespace === own : matches(namespaceSelector, namespace)) &&
  (podSelector === undefined || matches(podSelector, pod));

/** No peers mean every caller, and no ports mean every port, as in the API of Kubernetes. */
const allows = ({ from = [], ports = [] }: IngressRule, caller: Caller, port: string): boolean =>
  (ports.length === 0 || ports.some((each) => each.port === port)) &&
  (from.length === 0 || from.some((peer) => isPeer(peer, caller)));

/** Whether NetworkPolicies let a caller reach a named port of a pod. A pod without a policy is open. */
export const isReachable = (
  objects: readonly KubernetesObject[],
  pod: Labels,
  port: string,
  caller: Caller,
): boolean => {
  const policies = objects.filter(({ kind, spec }) => kind === 'NetworkPolicy' && matches(spec.podSelector, pod));
  const rules: IngressRule[] = policies.flatMap(({ spec }) => spec.ingress ?? []);
  return policies.length === 0 || rules.some((rule) => allows(rule, caller, port));
};
