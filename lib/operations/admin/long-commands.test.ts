import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, onTestFinished, test } from "vitest";

import { Report } from "@/lib/contract/report";
import { listWorkspaces } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { runAdmin } from "./index";

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "imprint-long-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Options = {
  /** Whether stderr is a terminal. */
  isTTY?: boolean;
  isAllTTY?: boolean;
  signal?: AbortSignal;
  onWritten?: (text: string) => unknown;
};

async function run(words: readonly string[], { isTTY = false, isAllTTY = false, signal, onWritten }: Options = {}) {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    isTTY: isAllTTY || (isTTY && name === "stderr"),
    columns: 120,
    write(text: string) {
      written[name] += text;
      return onWritten?.(text);
    },
  });
  const code = await runAdmin(words, {
    migrationsFolder: "db/migrations",
    openDatabase: () => Promise.resolve(db),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    ...(signal && { signal }),
  });
  return { code, ...written };
}

const demoWorkspaces = async () =>
  (await listWorkspaces(operatorContext(db)))
    .filter(({ name }) => name === "Demo data")
    .map((each) => each.workspaceId);

/** A workspace with one device of one visit. */
async function createDevice(): Promise<string[]> {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const { device } = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  return ["--workspace", site.workspaceId, "--device", device.id];
}

test("deleting and exporting show their progress as a bar on a terminal", async () => {
  const device = await createDevice();
  const exported = await run(["device", "export", ...device, "--json"], { isTTY: true });
  expect(exported.stderr).toContain("device export [████████████████████████████] 100 %  1 visits");
  expect(JSON.parse(exported.stdout)).toMatchObject({ visits: 1, stored_visits: [{ surface: "default" }] });
  // The bar would overwrite what is being printed.
  expect(await run(["device", "export", ...device], { isAllTTY: true })).toMatchObject({ code: 0, stderr: "" });
  const deleted = await run(["device", "delete", ...device], { isTTY: true });
  expect(deleted.stderr).toContain("device delete [████████████████████████████] 100 %  1 visits");
});

/** The commands that print everything stored about a device, and how their results begin. */
const exportsOf = (device: readonly string[]): [string[], string][] => [
  [["device", "export", ...device], '{"device_id"'],
  [["evidence", "export", "--workspace", device[1] ?? "", "--item", device[3] ?? "", "--format", "csv"], '{"format"'],
];

test("an export of evidence shows both of its readings, and prints its file with its own lines", async () => {
  const [, [words]] = exportsOf(await createDevice()) as [unknown, [string[], string]];
  const exported = await run([...words, "--json"], { isTTY: true });
  for (const title of ["evidence export, reading", "evidence export"])
    expect(exported.stderr).toContain(`${title} [████████████████████████████] 100 %  1 visits`);
  const { content, ...counts } = JSON.parse(exported.stdout) as { content: string };
  expect(counts).toEqual({ format: "csv", visits: 1, accounts: 0 });
  const printed = await run(words, { isAllTTY: true });
  expect(printed.stdout).toBe(`format: csv\nvisits: 1\naccounts: 0\ncontent:\n${content}`);
});

test("an interrupted export says that its output is incomplete and nothing was changed", async () => {
  for (const [words, beginning] of exportsOf(await createDevice())) {
    const stopping = new AbortController();
    const onWritten = (text: string) => {
      if (text.startsWith(beginning)) stopping.abort();
    };
    const { code, stdout, stderr } = await run([...words, "--json"], { signal: stopping.signal, onWritten });
    expect([code, stdout.endsWith("}\n")]).toEqual([1, false]);
    expect(stderr).toContain("Interrupted. What was printed is incomplete, nothing was changed");
  }
});

test.each([
  ["ENOSPC", { error: { code: "conflict", message: "The result could not be written: ENOSPC" } }],
  ["EPIPE", undefined],
])("a result that cannot be written (%s) fails, silently if its reader has gone", async (code, expected) => {
  for (const [words, beginning] of exportsOf(await createDevice())) {
    const onWritten = (text: string) =>
      text.startsWith(beginning) ? Promise.reject(Object.assign(new Error(code), { code })) : undefined;
    const { code: status, stderr } = await run([...words, "--json"], { onWritten });
    expect(status).toBe(1);
    expect(stderr === "" ? undefined : JSON.parse(stderr)).toEqual(expected);
  }
});

test("deleting demo data tells each table in a line, and nothing to a program that reads JSON", async () => {
  const workspaces: string[] = [];
  for (const _time of [1, 2]) {
    const made = await run(["demo", "create", "--days", "2", "--json"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    workspaces.push((JSON.parse(made.stdout) as { workspace_id: string }).workspace_id);
  }
  const [first = "", second = ""] = workspaces;
  const { stderr } = await run(["demo", "delete", "--workspace", first]);
  expect(stderr).toMatch(/^demo delete: visits: \d+ rows$/m);
  expect(await run(["demo", "delete", "--workspace", second, "--json"])).toMatchObject({ code: 0, stderr: "" });
});

test("an interrupted command says what it left and what to do, as one object with --json", async () => {
  const interrupt = async (more: readonly string[]) => {
    const stopping = new AbortController();
    const onWritten = (text: string) => {
      if (text.includes("20 %")) stopping.abort();
    };
    return await run(["demo", "create", "--days", "2", ...more], { isTTY: true, signal: stopping.signal, onWritten });
  };
  const { code, stderr, stdout } = await interrupt([]);
  const [workspace = ""] = await demoWorkspaces();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`Interrupted. The workspace ${workspace} is incomplete. Delete it: `);
  expect(stderr).toContain(`demo delete --workspace ${workspace}`);
  const asJson = await interrupt(["--json"]);
  const [, envelope = ""] = /(\{.*\})\n$/.exec(asJson.stderr) ?? [];
  expect(JSON.parse(envelope)).toMatchObject({ error: { code: "service_unavailable" } });
});

test.each(["0", "366", "1e3", "-1"])("demo create --days %s is refused and creates no workspace", async (days) => {
  const before = await demoWorkspaces();
  expect(await run(["demo", "create", `--days=${days}`])).toMatchObject({ code: 1 });
  expect(await demoWorkspaces()).toEqual(before);
});

test("files are found in the folder in which the command was entered", async () => {
  const former = process.env["INIT_CWD"];
  onTestFinished(() => {
    if (former === undefined) delete process.env["INIT_CWD"];
    else process.env["INIT_CWD"] = former;
  });
  process.env["INIT_CWD"] = folder;
  writeFileSync(join(folder, "labels.csv"), "account_ref,label\nuser-1,fraud\n");
  writeFileSync(join(folder, "candidate.json"), "{}");
  const { workspaceId } = await createSite(db);
  const at = ["--workspace", workspaceId];
  expect(await run(["label", "import", ...at, "--file", "labels.csv"])).toMatchObject({ code: 0 });
  expect((await run(["rules", "replay", ...at, "--rules", "candidate.json"])).stderr).not.toContain("cannot be read");
});
