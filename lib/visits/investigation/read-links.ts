import { DAY_MS } from "@/lib/platform/calendar";
import type { Context } from "@/lib/platform/context";
import type { ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { type Access, authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { MAX_OBSERVATIONS } from "@/lib/visits/devices";
import { sharing, sharingOf } from "@/lib/visits/network";
import {
  type AddressFacts,
  type DeviceLink,
  listAccountLinks,
  listAddressLinks,
  listDevicesOfAccounts,
  listDevicesOfAddresses,
  readAddressFacts,
  summariseDevices,
} from "@/lib/visits/visit-store";
import {
  type AddressKind,
  findGroups,
  GraphBuilder,
  type GraphNode,
  type Group,
  isFollowed,
  type LinkGraph,
  type NodeKind,
} from "./domain/link-graph";
import { parseAsn } from "./domain/parse-asn";
import { findItems } from "./find-items";
import { listSharers } from "./summarise-subject";

/** Maximum number of links followed per node, in the first and the second step. */
const EACH = [40, 10] as const;
const MAX_NODES = 150;
/** Days of a network's visits that are considered. */
export const NETWORK_DAYS = 30;

const KINDS: Readonly<Record<string, AddressKind>> = {
  mobile: "carrier",
  corporate: "office",
  hosting: "hosting",
  proxy: "proxy",
};

/** Who uses an address, by the rules of device recognition. */
function addressKindOf({ address, asn, connectionType, devices }: AddressFacts): AddressKind {
  const named = KINDS[connectionType ?? ""];
  if (named) return named;
  if (devices > MAX_OBSERVATIONS) return "crowded";
  const stored = sharingOf({
    address,
    ...(asn === undefined ? {} : { asn }),
    ...(connectionType === undefined ? {} : { connectionType }),
    evidence: [],
  });
  const shared = stored === "unknown" ? sharing(address) : stored;
  return shared === "shared" ? "carrier" : shared;
}

type Step = 1 | 2;

/** Reads what is linked to the nodes of one step, and adds it as the next step. */
class LinkReader {
  readonly graph = new GraphBuilder(MAX_NODES);

  constructor(
    readonly context: Context,
    readonly access: Access,
  ) {}

  private valuesOf(kind: NodeKind, step: number): string[] {
    return this.graph.nodes
      .filter((node) => node.kind === kind && node.step === step && (step === 0 || isFollowed(node)))
      .map(({ value }) => value);
  }

  private indexOf(kind: NodeKind, value: string): number {
    return this.graph.nodes.findIndex((node) => node.kind === kind && node.value === value);
  }

  plain(kind: NodeKind, value: string, step: Step | 0): GraphNode {
    return { kind, value, step, addressKind: undefined, sharedBy: undefined };
  }

  /** Marks the graph as cut if a node has as many links as were read, since there may be more. */
  private checkBound(links: readonly DeviceLink[], each: number, of: (link: DeviceLink) => string): void {
    const counts = new Map<string, number>();
    for (const link of links) counts.set(of(link), (counts.get(of(link)) ?? 0) + 1);
    if ([...counts.values()].some((count) => count >= each)) this.graph.cut();
  }

  async addAddresses(links: readonly DeviceLink[], step: Step | 0): Promise<void> {
    const { db } = this.context;
    const addresses = [...new Set(links.map(({ value }) => value))];
    if (addresses.length === 0) return;
    for (const facts of await readAddressFacts(db, this.access.workspaceId, addresses)) {
      const addressKind = addressKindOf(facts);
      this.graph.add({ kind: "address", value: facts.address, step, addressKind, sharedBy: facts.devices });
    }
    for (const { deviceId, value } of links) this.link(deviceId, "address", value);
  }

  private link(deviceId: string, kind: Exclude<NodeKind, "device">, value: string): void {
    const [device, other] = [this.indexOf("device", deviceId), this.indexOf(kind, value)];
    if (device >= 0 && other >= 0) this.graph.link(device, other);
  }

  /** Adds what devices were seen with. */
  private async fromDevices(step: Step, each: number): Promise<void> {
    const { access } = this;
    const devices = this.valuesOf("device", step - 1);
    if (devices.length === 0) return;
    const [db, workspaceId] = [this.context.db, access.workspaceId];
    const hasAccounts = PLAN_LIMITS[access.plan].hasAccountMap;
    const accounts = hasAccounts ? await listAccountLinks(db, workspaceId, devices, each) : [];
    for (const { deviceId, value } of accounts) {
      this.graph.add(this.plain("account", value, step));
      this.link(deviceId, "account", value);
    }
    this.checkBound(accounts, each, ({ deviceId }) => deviceId);
    const addresses = access.canSeeAddresses ? await listAddressLinks(db, workspaceId, devices, each) : [];
    await this.addAddresses(addresses, step);
    this.checkBound(addresses, each, ({ deviceId }) => deviceId);
  }

  addDevices(links: readonly DeviceLink[], kind: Exclude<NodeKind, "device">, { step, each }: Bounds): void {
    for (const { deviceId, value } of links) {
      this.graph.add(this.plain("device", deviceId, step));
      this.link(deviceId, kind, value);
    }
    this.checkBound(links, each, ({ value }) => value);
  }

  /** Adds the devices that accounts and addresses were seen on. */
  private async toDevices(step: Step, each: number): Promise<void> {
    const [db, { workspaceId }] = [this.context.db, this.access];
    const [accounts, addresses] = [this.valuesOf("account", step - 1), this.valuesOf("address", step - 1)];
    const bounds = { step, each };
    if (accounts.length > 0)
      this.addDevices(await listDevicesOfAccounts(db, workspaceId, accounts, each), "account", bounds);
    if (addresses.length > 0)
      this.addDevices(await listDevicesOfAddresses(db, workspaceId, addresses, each), "address", bounds);
  }

  async follow(step: Step, each: number): Promise<void> {
    await this.fromDevices(step, each);
    await this.toDevices(step, each);
  }
}

type Bounds = { step: Step; each: number };

export type LinkedNode = GraphNode & {
  /** Verdict of the device's newest visit. */
  lastStatus: ReportStatus | undefined;
};

export type LinkedView = Omit<LinkGraph, "nodes"> & {
  /** The first one is the starting node. */
  nodes: LinkedNode[];
  groups: Group[];
  accountsVisible: boolean;
  addressesVisible: boolean;
};

/** Adds the network `asn` and the devices with most of its newest visits. */
async function addNetwork(reader: LinkReader, asn: number): Promise<void> {
  const { context, access } = reader;
  const value = `AS${asn}`;
  const since = new Date(context.now.getTime() - NETWORK_DAYS * DAY_MS);
  const of = { workspaceId: access.workspaceId, kind: "network", asn, since, most: EACH[0] } as const;
  const devices = (await listSharers(context, of)).filter(({ kind }) => kind === "device");
  if (devices.length === 0)
    throw new AppError("not_found", { message: `No visit of the last ${NETWORK_DAYS} days came from ${value}` });
  reader.graph.add(reader.plain("network", value, 0));
  const links = devices.map((device) => ({ deviceId: device.value, value }));
  reader.addDevices(links, "network", { step: 1, each: EACH[0] });
}

/** Adds the starting node and its first step. */
async function addStart(reader: LinkReader, of: string): Promise<void> {
  const asn = /^AS/i.test(of) ? parseAsn(of) : undefined;
  if (asn !== undefined) {
    await addNetwork(reader, asn);
    return;
  }
  const [start] = await findItems(reader.context, reader.access, [of]);
  if (!start || start.kind === "visit" || start.value.includes("/"))
    throw new AppError("invalid_request", {
      message: "Links can be shown for a device, an account, a single address, or a network such as AS64500",
    });
  const { kind, value } = start;
  if (kind === "address") await reader.addAddresses([{ deviceId: "", value }], 0);
  else reader.graph.add(reader.plain(kind, value, 0));
  await reader.follow(1, EACH[0]);
}

/**
 * Reads the accounts, devices and addresses within two steps of one of them or of a network. What strangers share is
 * shown but not followed, unless it is the starting node.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function readLinks(
  context: Context,
  { workspaceId, of }: { workspaceId: string; of: string },
): Promise<LinkedView> {
  const access = await authorize(context, workspaceId, "report.read");
  const reader = new LinkReader(context, access);
  await addStart(reader, of);
  await reader.follow(2, EACH[1]);
  const graph = reader.graph.build();
  const deviceIds = graph.nodes.filter((node) => node.kind === "device").map((node) => node.value);
  const summaries = await summariseDevices(context.db, workspaceId, deviceIds);
  const statusOf = new Map(summaries.map(({ deviceId, lastStatus }) => [deviceId, lastStatus ?? undefined]));
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, lastStatus: statusOf.get(node.value) })),
    groups: findGroups(graph),
    accountsVisible: PLAN_LIMITS[access.plan].hasAccountMap,
    addressesVisible: access.canSeeAddresses,
  };
}
