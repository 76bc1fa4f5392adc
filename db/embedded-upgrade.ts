import { existsSync, lstatSync, renameSync, rmSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";

import { makeFolder } from "./make-folder.mjs";
import { accountFor, prepareFolder } from "./embedded";
import { findBinaries, reachableFor, systemPrograms } from "./embedded-binaries";
import {
  type ConnectionFile,
  DATABASE,
  freePort,
  readConnection,
  serviceUrlOf,
  writeConnection,
} from "./embedded-connection";
import { describePrograms, programsMajor } from "./embedded-major";
import { postmasterOn } from "./embedded-processes";
import { clusterMajor, databaseFolder, linkOutside, placeOf } from "./embedded-place";
import { newPassword, prepareDatabase } from "./embedded-role";
import { type Cluster, halt, initialise, launch } from "./embedded-server";

type RunningCluster = { url: string; folder: string; major: number; stop: () => Promise<unknown> };

async function clusterAt(folder: string, binDir: string | undefined): Promise<Cluster> {
  const account = accountFor(folder);
  const prepared = prepareFolder(folder, account);
  const found = await findBinaries(binDir);
  const programs = (account ? reachableFor(found, account) : found).folder;
  return { folder: prepared, programs, account, disposable: false };
}

async function run(cluster: Cluster, connection: ConnectionFile) {
  await launch(cluster, connection);
  const prepared = await prepareDatabase(connection);
  const stop = () => halt(cluster);
  return { prepared, running: { url: serviceUrlOf(prepared, DATABASE), folder: cluster.folder, stop } };
}

type Options = { dataDir: string; programs: string | undefined; binDir: string | undefined };

function choosePrograms(major: number, given: string | undefined): string {
  const folder = given ?? systemPrograms(major);
  if (folder === undefined)
    throw new Error(
      `The programs of PostgreSQL ${major} are needed once to read the database: pass their folder as --programs FOLDER. To install them: ${describePrograms(major)}.`,
    );
  if (!existsSync(join(folder, "postgres"))) throw new Error(`--programs ${folder} has no postgres.`);
  if (programsMajor(folder) !== major)
    throw new Error(
      `--programs ${folder} is PostgreSQL ${programsMajor(folder)}, but the database was made by ${major}.`,
    );
  return folder;
}

/**
 * Starts a database that the installed programs cannot open, with the programs of its own major version.
 *
 * @throws Error if there is no such database, if it is running, or if its programs are missing
 */
export async function openOutdated({ dataDir, programs, binDir }: Options): Promise<RunningCluster> {
  const folder = databaseFolder(dataDir);
  const major = clusterMajor(folder);
  const saved = readConnection(dataDir);
  if (major === undefined || !saved) throw new Error(`${dataDir} contains no database.`);
  if (major === programsMajor((await findBinaries(binDir)).folder))
    throw new Error(
      `The database in ${folder} is already on PostgreSQL ${major}, like the installed programs. Nothing to do.`,
    );
  if (postmasterOn(join(folder, "data")) !== undefined)
    throw new Error("The database is running: stop the service first.");
  const cluster = await clusterAt(folder, choosePrograms(major, programs));
  const { running } = await run(cluster, { ...saved, port: await freePort() });
  return { ...running, major };
}

export type Successor = RunningCluster & {
  /** Stops it and makes it the data directory's database in one step; the former database is kept. */
  adopt: () => Promise<{ folder: string; former: string }>;
};

/**
 * Creates an empty database with the installed programs, in a folder that no start mistakes for a complete database.
 */
export async function createSuccessor({ dataDir, binDir }: Omit<Options, "programs">): Promise<Successor> {
  const major = programsMajor((await findBinaries(binDir)).folder);
  const place = placeOf(dataDir, `postgres-${major}`);
  const target = isAbsolute(place) ? place : resolve(dataDir, place);
  const draft = `${target}.new`;
  const former = databaseFolder(dataDir);
  for (const folder of [draft, target]) rmSync(folder, { recursive: true, force: true });
  makeFolder(dataDir);
  const cluster = await clusterAt(draft, binDir);
  const connection: ConnectionFile = { port: await freePort(), password: newPassword(), folder: place };
  await initialise(cluster, connection.password);
  const { prepared, running } = await run(cluster, connection);
  return {
    ...running,
    major,
    async adopt() {
      await running.stop();
      renameSync(cluster.folder, target);
      // The commit point: from here on a start opens the new database.
      writeConnection(dataDir, prepared);
      const kept = `${former}.before-${major}`;
      rmSync(kept, { recursive: true, force: true });
      renameSync(former, kept);
      const link = join(dataDir, basename(former));
      if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link);
      linkOutside(dataDir, target);
      return { folder: target, former: kept };
    },
  };
}
