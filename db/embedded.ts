import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join as joinPath, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { type Account, isRoot, ownerOf, unprivilegedAccount } from "./embedded-account";
import { findBinaries, reachableFor } from "./embedded-binaries";
import {
  type ConnectionFile,
  DATABASE,
  freePort,
  MAINTENANCE_DATABASE,
  probe,
  readConnection,
  serviceUrlOf,
  urlOf,
  writeConnection,
} from "./embedded-connection";
import { refuseOtherMajor } from "./embedded-major";
import { chooseFolder, linkOutside, prepareParents } from "./embedded-place";
import { inodeOf, postmasterOn, serverOn, type ServerProcess } from "./embedded-processes";
import { makeFolder, prepareDataDir } from "./make-folder.mjs";
import { type Cluster, dataFolderOf, halt, initialise, launch, resetPassword } from "./embedded-server";
import { newPassword, prepareDatabase } from "./embedded-role";
import { refuseUseElsewhere, showUse } from "./embedded-use";
import { join, type Membership } from "./embedded-users";
import { codeOf, failureCode } from "./failures";
import { type FileLock, waitForLock } from "./file-lock.mjs";
import { isOfFullDisk } from "./full-disk.mjs";
import { isAlive } from "./processes.mjs";
import { isServedByAnother } from "./service-lock.mjs";

export type EmbeddedServer = {
  url: string;
  port: number;
  /** Whether the server was already running. */
  isAdopted: boolean;
  /** Folder of the database files. */
  folder: string;
  /** Whether they are outside the data directory, because the server's user cannot enter it. */
  isOutside: boolean;
  programsFrom: "PG_BIN_DIR" | "npm" | "system";
  /** Ends this process's use, and stops the server if no other process uses it, unless a successor takes over. */
  close: (options?: { forSuccessor: boolean }) => Promise<"stopped" | "shared">;
};

type Options = {
  dataDir: string;
  binDir: string | undefined;
  /** Called after the server crashed and was restarted. */
  onRestarted?: () => void;
  /** Called after each attempt to restart it that failed. */
  onRestartFailed?: (error: unknown) => void;
};

const START_LOCK = "postgres-start";
const START_TIMEOUT_MS = 120_000;
/** A stop is given 45 seconds in all (docs/operations.md). */
const STOP_LOCK_TIMEOUT_MS = 5_000;
/** How long to wait for a server that is starting, recovering or stopping. */
const SETTLE_TIMEOUT_MS = 60_000;

/** When running as root: the user that owns the files, else `postgres` or `nobody`. */
export const accountFor = (folder: string): Account | undefined =>
  isRoot() ? (ownerOf(joinPath(folder, "data")) ?? ownerOf(folder) ?? unprivilegedAccount()) : undefined;

export function prepareFolder(folder: string, account: Account | undefined): string {
  prepareParents(folder);
  makeFolder(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  return realpathSync(folder);
}

/** Waits while a server starts, recovers or stops; returns whether it is running afterwards. */
async function settle(
  cluster: Pick<Cluster, "folder">,
  connection: ConnectionFile,
  signal?: AbortSignal,
): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const state = await probe(connection, dataFolderOf(cluster));
    if (state === "ready") return true;
    const id = postmasterOn(dataFolderOf(cluster));
    if (id === undefined) return false;
    if (performance.now() - startedAt > SETTLE_TIMEOUT_MS) {
      throw new Error(
        `PostgreSQL (process ${id}) is running on ${cluster.folder} but does not answer on port ${connection.port}. End that process and start again.`,
      );
    }
    await delay(50);
  }
}

/** A running server without its `conn.json` may be in use, so it is not stopped. */
function refuseUnknownServer(cluster: Cluster, dataDir: string): void {
  const id = postmasterOn(dataFolderOf(cluster));
  if (id === undefined) return;
  throw new Error(
    `PostgreSQL (process ${id}) is running on ${cluster.folder}, but ${joinPath(dataDir, "conn.json")} is missing. Stop the service that uses it, or that process, and start again: the data is kept.`,
  );
}

/** @param full why nothing can be started or written; a running server can still be adopted */
async function startOrAdopt({ dataDir, binDir }: Options, full: Error | undefined) {
  const saved = readConnection(dataDir);
  const given = saved?.folder ?? chooseFolder(dataDir);
  const wanted = isAbsolute(given) ? given : joinPath(dataDir, given);
  const account = accountFor(wanted);
  const folder = prepareFolder(wanted, account);
  const connection: ConnectionFile = saved ?? { port: await freePort(), password: newPassword(), folder: given };
  const endUse = showUse(folder, () => postmasterOn(dataFolderOf({ folder })) !== undefined);
  try {
    const cluster = { folder, account, disposable: false };
    return {
      ...(await openCluster(cluster, { dataDir, binDir, isSaved: saved !== undefined, connection }, full)),
      endUse,
    };
  } catch (error) {
    endUse();
    throw error;
  }
}

type Given = Pick<Options, "dataDir" | "binDir"> & { connection: ConnectionFile; isSaved: boolean };

async function openCluster(
  { folder, account, disposable }: Omit<Cluster, "programs">,
  { dataDir, binDir, isSaved, connection: given }: Given,
  full: Error | undefined,
) {
  let connection = given;
  const found = await findBinaries(binDir);
  const binaries = account ? reachableFor(found, account) : found;
  const cluster: Cluster = { folder, programs: binaries.folder, account, disposable };
  const isAdopted = isSaved && (await settle(cluster, connection));
  if (full && !isAdopted) throw full;
  if (!isAdopted) {
    refuseOtherMajor(folder, binaries);
    await refuseUseElsewhere(folder);
    if (!isSaved) {
      refuseUnknownServer(cluster, dataDir);
      writeConnection(dataDir, connection);
    }
    const isNew = await initialise(cluster, connection.password);
    if (!isSaved && !isNew) await resetPassword(cluster, connection.password);
    if ((await probe(connection, dataFolderOf(cluster))) !== "absent") {
      connection = { ...connection, port: await freePort() }; // another program uses the port
      writeConnection(dataDir, connection);
    }
    await launch(cluster, connection);
  }
  const { servicePassword } = connection;
  const isPrepared = full && servicePassword !== undefined;
  const prepared = isPrepared ? { ...connection, servicePassword } : await prepareDatabase(connection);
  if (servicePassword === undefined) writeConnection(dataDir, prepared);
  linkOutside(dataDir, folder);
  return { cluster, connection: prepared, isAdopted, programsFrom: binaries.from };
}

/**
 * Takes the start lock for a stop; undefined if the folder is gone, unreadable or full: nobody can take it then, hence
 * start or adopt the server.
 *
 * @throws Error if another process holds it for so long
 */
async function lockToStop(dataDir: string): Promise<FileLock | undefined> {
  const waiting = waitForLock(dataDir, START_LOCK, { timeoutMs: STOP_LOCK_TIMEOUT_MS });
  return await waiting.catch((error: unknown) => {
    if (codeOf(error) === "") throw error;
    return undefined;
  });
}

type Running = {
  cluster: Cluster;
  server: () => ServerProcess | undefined;
  membership: Membership;
  /** Of the folder with the server's files. */
  inode: bigint | undefined;
};

/** @throws Error if the files are gone, or are not those that were opened: they may be older, or another's */
function refuseReplaced({ folder }: Cluster, inode: bigint | undefined): void {
  const found = inodeOf(dataFolderOf({ folder }));
  if (found === undefined) throw new Error(`${folder} is gone. Was its disk unmounted, or the folder moved?`);
  if (found !== inode)
    throw new Error(
      `${folder} was replaced while the service ran, so PostgreSQL is not started on it. Stop the service, then start it on the folder that you want.`,
    );
}

/** Stops the server, but none that runs on other files which have taken the place of its own. */
async function haltOwn(cluster: Cluster, server: ServerProcess | undefined, inode: bigint | undefined) {
  const isRunning = server !== undefined && isAlive(server.id, server.birth);
  return (isRunning || inodeOf(dataFolderOf(cluster)) === inode) && (await halt(cluster, server));
}

/** Ends this process's use of the server, and stops it if no other process uses it. Works without the data directory. */
async function closeEmbedded(dataDir: string, { cluster, server, membership, inode }: Running, forSuccessor: boolean) {
  await membership.stopRestarting();
  let lock: FileLock | undefined;
  try {
    lock = await lockToStop(dataDir);
  } catch {
    // Another process is starting or adopting the server.
    await membership.leave();
    return "shared";
  }
  try {
    const isLast = (await membership.leave()) ?? !isServedByAnother(dataDir);
    return isLast && !forSuccessor && (await haltOwn(cluster, server(), inode)) ? "stopped" : "shared";
  } finally {
    lock?.release();
  }
}

/** Whether an error says that a disk is full: of the system, or of PostgreSQL. */
function isFull(error: unknown): error is Error {
  const code = failureCode(error);
  return error instanceof Error && (isOfFullDisk(code) || code === "53100");
}

/**
 * Opens a data directory's embedded PostgreSQL: starts it, or adopts a running one, which also works on a full disk.
 * Several processes may share it and may call this concurrently; the last one to close stops it.
 */
export async function openEmbedded(options: Options): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const withStartLock = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const lock = await waitForLock(dataDir, START_LOCK, { timeoutMs: START_TIMEOUT_MS, signal });
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  const attach = async (full?: Error): Promise<EmbeddedServer> => {
    const { cluster, connection, isAdopted, programsFrom, endUse } = await startOrAdopt({ ...options, dataDir }, full);
    // A server in another container, reached over a shared network, is shown as in use there.
    if (serverOn(dataFolderOf(cluster)) === undefined) endUse();
    let server = serverOn(dataFolderOf(cluster));
    const inode = inodeOf(dataFolderOf(cluster));
    const restart = (signal: AbortSignal) =>
      withStartLock(async () => {
        refuseReplaced(cluster, inode);
        const isRunning = await settle(cluster, connection, signal);
        if (!isRunning) await launch(cluster, connection, signal);
        server = serverOn(dataFolderOf(cluster));
        if (!isRunning) options.onRestarted?.();
      }, signal).catch((error: unknown) => {
        if (!signal.aborted) options.onRestartFailed?.(error);
        throw error;
      });
    const membership = await join(serviceUrlOf(connection, MAINTENANCE_DATABASE), restart);
    return {
      url: serviceUrlOf(connection, DATABASE),
      port: connection.port,
      isAdopted,
      folder: cluster.folder,
      isOutside: relative(realpathSync(dataDir), cluster.folder).startsWith(".."),
      programsFrom,
      close: ({ forSuccessor } = { forSuccessor: false }) =>
        closeEmbedded(dataDir, { cluster, server: () => server, membership, inode }, forSuccessor).finally(endUse),
    };
  };
  try {
    prepareDataDir(dataDir);
    return await withStartLock(() => attach());
  } catch (error) {
    if (!isFull(error)) throw error;
    return await attach(error);
  }
}

const DISPOSABLE_PREFIX = "imprint-pg-";

/** Stops and removes the disposable servers of processes that were killed. */
async function removeOrphans(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((file) => file.startsWith(DISPOSABLE_PREFIX))) {
    const folder = joinPath(parent, name);
    try {
      const owner = Number(readFileSync(joinPath(folder, "owner"), "utf8"));
      if (existsSync(`/proc/${owner}`) || !existsSync("/proc/self")) continue;
      await halt({ folder, disposable: true });
      rmSync(folder, { recursive: true, force: true });
    } catch {
      continue; // incomplete, or owned by another user
    }
  }
}

export type DisposableServer = {
  /** URL for the superuser, who may create databases. */
  url: string;
  /** URL for the role that the service connects as. */
  serviceUrl: string;
  stop: () => Promise<void>;
};

/** Opens a server for tests in a new temporary folder below `parent`, without crash safety. */
export async function openDisposable(binDir?: string, parent = tmpdir()): Promise<DisposableServer> {
  await removeOrphans(parent);
  const account = isRoot() ? unprivilegedAccount() : undefined;
  const folder = prepareFolder(mkdtempSync(joinPath(parent, DISPOSABLE_PREFIX)), account);
  writeFileSync(joinPath(folder, "owner"), String(process.pid));
  const found = await findBinaries(binDir);
  const programs = (account ? reachableFor(found, account) : found).folder;
  const cluster: Cluster = { folder, programs, account, disposable: true };
  const connection = { port: await freePort(), password: newPassword(), folder };
  await initialise(cluster, connection.password);
  await launch(cluster, connection);
  const prepared = await prepareDatabase(connection);
  return {
    url: urlOf(prepared, MAINTENANCE_DATABASE),
    serviceUrl: serviceUrlOf(prepared, MAINTENANCE_DATABASE),
    async stop() {
      await halt(cluster);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
