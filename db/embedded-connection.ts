import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import postgres from "postgres";

import { writeWholeFile } from "./write-file.mjs";

/** Contents of `conn.json`: how to connect to a data directory's embedded server. */
export type ConnectionFile = {
  port: number;
  /** Password of the superuser, which only the launcher uses. */
  password: string;
  /** Password of the service's role. Missing in files written by 0.1.0. */
  servicePassword?: string;
  /** The server's folder, absolute or relative to the data directory. */
  folder: string;
};

/** The superuser. The role that initialised a cluster cannot lose its superuser rights. */
export const ROLE = "imprint";
export const SERVICE_ROLE = "imprint_service";
export const DATABASE = "imprint";
/** Database in which the users' advisory locks are taken: such locks are scoped to one database. */
export const MAINTENANCE_DATABASE = "postgres";

const connectionFile = (dataDir: string) => join(dataDir, "conn.json");

/** @throws Error if this user may not read the file, or if it is damaged */
export function readConnection(dataDir: string): ConnectionFile | undefined {
  const file = connectionFile(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ConnectionFile;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error(`${file} is damaged. Remove it and start again: the data is kept.`, { cause: error });
    throw new Error(
      `${file} cannot be read by this user. Start Imprint as the user that started it first, or choose another DATA_DIR.`,
      { cause: error },
    );
  }
}

export function writeConnection(dataDir: string, connection: ConnectionFile): void {
  writeWholeFile(connectionFile(dataDir), JSON.stringify(connection), { mode: 0o600 });
}

export const urlOf = ({ port, password }: Pick<ConnectionFile, "port" | "password">, database: string): string =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`;

/** The service's role is not a superuser. */
export const serviceUrlOf = (
  { port, servicePassword }: { port: number; servicePassword: string },
  database: string,
): string => `postgres://${SERVICE_ROLE}:${servicePassword}@127.0.0.1:${port}/${database}`;

/** A single connection for a few statements. */
export const connectOnce = (url: string): postgres.Sql =>
  postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 3,
    onnotice: () => undefined,
    connection: { application_name: "imprint-launcher" },
  });

/** Whether the server on that port accepts the password and serves `dataFolder`. */
export type ProbeResult = "ready" | "starting" | "absent" | "other";

/** SQLSTATE of a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = "57P03";

/** Makes an empty file in the folder; returns its name, or undefined if none can be made there. */
function mark(folder: string): string | undefined {
  const name = `imprint-${randomBytes(8).toString("hex")}`;
  try {
    closeSync(openSync(join(folder, name), "wx"));
    return name;
  } catch {
    return undefined;
  }
}

/**
 * Whether the files that the server works on are those in `dataFolder`. Its own name for them does not tell: a copy may
 * lie where they were before they were moved, with the same password.
 */
async function worksOn(sql: postgres.Sql, dataFolder: string): Promise<boolean> {
  const name = mark(dataFolder);
  try {
    const [row] =
      name === undefined
        ? await sql<{ isSame: boolean }[]>`select current_setting('data_directory') = ${dataFolder} as "isSame"`
        : await sql<{ isSame: boolean }[]>`select (pg_stat_file(${name}, true)).size is not null as "isSame"`;
    return row?.isSame ?? false;
  } finally {
    if (name !== undefined) rmSync(join(dataFolder, name), { force: true });
  }
}

export async function probe(connection: ConnectionFile, dataFolder: string): Promise<ProbeResult> {
  const sql = connectOnce(urlOf(connection, MAINTENANCE_DATABASE));
  try {
    return (await worksOn(sql, dataFolder)) ? "ready" : "other";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === CANNOT_CONNECT_NOW) return "starting";
    return code === "ECONNREFUSED" ? "absent" : "other";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
