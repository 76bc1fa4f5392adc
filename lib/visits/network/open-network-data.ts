import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { sharedState } from "@/lib/platform/shared-state";
import { asnTableFile, ensureAsnTable } from "./asn-table";
import { DATA_PACKAGES, locateInstalledPackage, type LocatePackage, readPackageVersion } from "./data-packages";
import { loadNetworkData, type NetworkDataOptions } from "./load-network-data";
import type { NetworkData } from "./network-data";
import { loadWatchedFiles } from "./watched-files";

const WATCH_EVERY_MS = 5_000;

const holder = sharedState<{ opening?: Promise<NetworkData>; data?: NetworkData }>("network");

/** The data of this process. Undefined until opened. */
export const openedNetworkData = (): NetworkData | undefined => holder.value?.data;

/** The operator's files according to the environment. */
const ownFiles = () => ({ city: env.IP_CITY_DB, asn: env.IP_ASN_DB, anonymous: env.IP_ANONYMOUS_DB });

const locatePackage: LocatePackage = (name) => (env.IP_PACKAGES ? locateInstalledPackage(name) : undefined);

/**
 * Opens the network data for this process, once. Later and concurrent calls wait for the first and change nothing.
 * Without an ASN table from the build, the first start creates it, which takes one to three seconds.
 */
export async function openNetworkData(dataDir: string, options: NetworkDataOptions = {}): Promise<void> {
  const handle = (holder.value ??= {});
  handle.opening ??= loadNetworkData(dataDir, { files: ownFiles(), locatePackage, ...options });
  handle.data = await handle.opening;
}

/**
 * Builds shared files for the processes of this machine, so that processes that start together do not all build them.
 * On failure, each process builds its own and its status says so.
 */
export function prepareNetworkData(dataDir: string, { asnTable }: Pick<NetworkDataOptions, "asnTable"> = {}): void {
  const source = locatePackage(DATA_PACKAGES.asn);
  if (source === undefined) return;
  try {
    const [version, target] = [readPackageVersion(source), asnTableFile(dataDir)];
    ensureAsnTable({ source, version, target, built: asnTable });
  } catch (error) {
    log.warn({ err: error }, "could not build the ASN table for all processes");
  }
}

/**
 * Reloads files that are replaced while the service is running.
 *
 * @returns function that stops watching
 */
export function watchNetworkData(everyMs = WATCH_EVERY_MS): () => void {
  const data = openedNetworkData();
  if (!data) throw new Error("openNetworkData must be called first");
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(() => void loadWatchedFiles(data).finally(wait), everyMs).unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
