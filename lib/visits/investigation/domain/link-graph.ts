export type NodeKind = "device" | "account" | "address" | "network";

/**
 * Who uses an address: one household, a carrier's customers, a company, a data centre, a VPN or relay, more devices
 * than a household has, or unknown.
 */
export type AddressKind = "home" | "carrier" | "office" | "hosting" | "proxy" | "crowded" | "unknown";

export type GraphNode = {
  kind: NodeKind;
  value: string;
  /** Steps from the starting node. */
  step: 0 | 1 | 2;
  /** Only for addresses. */
  addressKind: AddressKind | undefined;
  /** Number of devices seen at the address, up to a limit. */
  sharedBy: number | undefined;
};

/** A device and something that it was seen with, as node indexes. */
export type GraphLink = { device: number; other: number };

export type LinkGraph = {
  nodes: GraphNode[];
  links: GraphLink[];
  /** Whether some nodes have more links than are shown. */
  isCut: boolean;
};

/** Networks and addresses shared by strangers do not tell who belongs together, so their links are not followed. */
export const isFollowed = ({ kind, addressKind }: Pick<GraphNode, "kind" | "addressKind">): boolean =>
  kind !== "network" && (addressKind === undefined || addressKind === "home" || addressKind === "unknown");

const keyOf = ({ kind, value }: Pick<GraphNode, "kind" | "value">) => `${kind} ${value}`;

/** Builds a graph of up to `most` nodes. Nodes beyond that are left out and the graph is marked as cut. */
export class GraphBuilder {
  readonly #index = new Map<string, number>();
  readonly #links = new Map<string, GraphLink>();
  readonly #nodes: GraphNode[] = [];
  #isCut = false;

  constructor(readonly most: number) {}

  /** Nodes added so far. */
  get nodes(): readonly GraphNode[] {
    return this.#nodes;
  }

  /** Adds a node unless it exists, and returns its index. Undefined if there is no room. */
  add(node: GraphNode): number | undefined {
    const known = this.#index.get(keyOf(node));
    if (known !== undefined) return known;
    if (this.#nodes.length >= this.most) {
      this.#isCut = true;
      return undefined;
    }
    this.#index.set(keyOf(node), this.#nodes.length);
    return this.#nodes.push(node) - 1;
  }

  link(device: number | undefined, other: number | undefined): void {
    if (device !== undefined && other !== undefined) this.#links.set(`${device} ${other}`, { device, other });
  }

  cut(): void {
    this.#isCut = true;
  }

  build(): LinkGraph {
    return { nodes: [...this.#nodes], links: [...this.#links.values()], isCut: this.#isCut };
  }
}

/** Nodes connected by accounts, devices and homes. Things that strangers share do not connect them. */
export type Group = {
  devices: number;
  accounts: number;
  /** Indexes of the group's nodes. */
  nodes: number[];
  pattern: Pattern;
};

/**
 * Pattern of a group: several accounts that move between devices or crowd on one (`ring`), one account on many devices
 * (`shared_account`), several devices in one home with separate accounts (`household`), or none of these (`single`).
 */
export type Pattern = "ring" | "shared_account" | "household" | "single";

/** More accounts than a family has on a shared computer. */
const RING_ACCOUNTS_ON_DEVICE = 5;
/** Number of accounts, sharing more than one device, from which they are no longer a couple with two phones. */
const RING_ACCOUNTS = 3;
/** More devices than one person uses. */
const DEVICES_OF_ONE_ACCOUNT = 5;

function root(parents: readonly number[], node: number): number {
  for (let at = node; ;) {
    const parent = parents[at];
    if (parent === undefined || parent === at) return at;
    at = parent;
  }
}

/** Groups of nodes connected by followed links. Nodes that strangers share are in no group. */
function groupsOf({ nodes, links }: LinkGraph, isLinking: (link: GraphLink) => boolean): number[][] {
  const parents = nodes.map((_, index) => index);
  for (const link of links.filter(isLinking)) parents[root(parents, link.other)] = root(parents, link.device);
  const groups = new Map<number, number[]>();
  for (const [index, node] of nodes.entries()) {
    if (!isFollowed(node)) continue;
    const key = root(parents, index);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  return [...groups.values()];
}

function patternOf(graph: LinkGraph, members: readonly number[]): Pattern {
  const { nodes, links } = graph;
  const isIn = new Set(members);
  const accountLinks = links.filter(({ device, other }) => isIn.has(device) && nodes[other]?.kind === "account");
  const counts = (by: (link: GraphLink) => number) => {
    const sums = new Map<number, number>();
    for (const link of accountLinks) sums.set(by(link), (sums.get(by(link)) ?? 0) + 1);
    return sums;
  };
  const [onDevice, onAccount] = [counts(({ device }) => device), counts(({ other }) => other)];
  const most = (sums: ReadonlyMap<number, number>) => Math.max(0, ...sums.values());
  // Accounts that share a device and also appear on another one.
  const tied = groupsOf(graph, ({ other }) => nodes[other]?.kind === "account").filter((group) =>
    group.some((index) => isIn.has(index)),
  );
  const isRing = tied.some((group) => {
    const of = (kind: NodeKind) => group.filter((index) => nodes[index]?.kind === kind).length;
    return of("account") >= RING_ACCOUNTS && of("device") >= 2;
  });
  if (isRing || most(onDevice) >= RING_ACCOUNTS_ON_DEVICE) return "ring";
  if (most(onAccount) >= DEVICES_OF_ONE_ACCOUNT) return "shared_account";
  return members.filter((index) => nodes[index]?.kind === "device").length > 1 ? "household" : "single";
}

/** The groups of a graph, largest first. */
export function findGroups(graph: LinkGraph): Group[] {
  return groupsOf(graph, ({ other }) => {
    const node = graph.nodes[other];
    return node !== undefined && isFollowed(node);
  })
    .map((nodes) => ({
      nodes,
      devices: nodes.filter((index) => graph.nodes[index]?.kind === "device").length,
      accounts: nodes.filter((index) => graph.nodes[index]?.kind === "account").length,
      pattern: patternOf(graph, nodes),
    }))
    .filter(({ devices, accounts }) => devices + accounts > 0)
    .sort((one, other) => other.nodes.length - one.nodes.length);
}
