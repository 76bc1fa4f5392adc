import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createSite, ordinarySignals, readReport, visit } from "@/test/visits";
import { runAdmin } from "./index";

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "imprint-rules-"));

/** Runs a command with `--json`; returns its output and exit code. */
async function run(...words: string[]) {
  const written = { stdout: "", stderr: "" };
  const code = await runAdmin([...words, "--json"], {
    migrationsFolder: join(process.cwd(), "db/migrations"),
    openDatabase: () => Promise.resolve(db),
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { isTTY: true, write: (text: string) => (written.stderr += text) },
  });
  return { code, written, answer: JSON.parse(written.stdout || written.stderr) as Record<string, unknown> };
}

const fileOf = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

function overlappingSignals() {
  const signals = ordinarySignals();
  if (signals.screen?.state === "ok")
    Object.assign(signals.screen.value, {
      ...{ width: 1920, height: 1080, outerWidth: 1930, outerHeight: 1040, innerWidth: 1900, innerHeight: 900 },
    });
  return signals;
}

test("labels are imported, listed and removed; a candidate that flags visits labelled legitimate is refused with an exit code", async () => {
  const site = await createSite(db);
  const at = ["--workspace", site.workspaceId];
  const imprints: string[] = [];
  for (let visits = 0; visits < 3; visits += 1)
    imprints.push((await visit(site, { signals: overlappingSignals() })).imprint);
  const csv = `imprint,label\n${imprints.map((imprint) => `${imprint},legitimate`).join("\n")}\nimp_1,fraud\n`;
  const imported = await run("label", "import", ...at, "--file", fileOf("labels.csv", csv));
  expect(imported).toMatchObject({ code: 0, answer: { changed: 3, problems: [{ line: 5 }] } });
  expect(imported.written.stderr).toContain("label import [███████░░░░░░░░░░░░░░░░░░░░░]  25 %  1 of 4 rows");

  const candidate = fileOf(
    "candidate.json",
    '{"name":"strict","rules":{"environment.window":{"limits":{"maxOverlap":0}}}}',
  );
  const refused = await run("rules", "replay", ...at, "--from", "2026-01-01", "--rules", candidate);
  expect(refused.written.stderr).toMatch(/replay \[█+░*\] +\d+ % {2}3 visits/);
  expect(refused).toMatchObject({
    code: 1,
    answer: {
      rules: "strict",
      visits: 3,
      changes: [{ from: "PASS", to: "SUSPICIOUS", visits: 3 }],
      rules_changed: [{ rule: "environment.window", before: 0, after: 3 }],
      accepted: false,
    },
  });
  const current = await run("rules", "replay", ...at, "--rules", "current");
  expect(current).toMatchObject({
    code: 0,
    answer: { same_version_visits: 3, same_version_different: 0, changes: [], accepted: true },
  });
  const back = await run("label", "set", ...at, "--imprint", imprints[0] ?? "", "--label", "none");
  expect(back.answer).toMatchObject({ label: null, previous_label: "legitimate" });
  expect(((await run("label", "list", ...at)).answer["labels"] as unknown[]).length).toBe(2);
  for (const wrong of [
    ["rules", "replay", ...at, "--rules", join(folder, "missing.json")],
    ["rules", "replay", ...at, "--rules", "current", "--from", "yesterday"],
    ["label", "import", ...at, "--file", join(folder, "missing.csv")],
    ["rules", "observe", "--rule", "environment.window"],
    ["rules", "observe", "--rule", "environment.window", "--instance", ...at],
  ])
    expect(await run(...wrong)).toMatchObject({ code: 1, answer: { error: { code: "invalid_request" } } });
});

test("a rule is switched to observe and back, and an alert is created, listed and deleted", async () => {
  const site = await createSite(db);
  const at = ["--workspace", site.workspaceId];
  const rule = ["--rule", "environment.languages"];
  expect(await run("rules", "observe", ...at, ...rule)).toMatchObject({ code: 0, answer: { mode: "observe" } });
  const modes = async () =>
    ((await run("rules", "list", ...at)).answer["rules"] as { rule: string; mode: string }[]).filter(
      ({ mode }) => mode === "observe",
    );
  expect(await modes()).toMatchObject([{ rule: "environment.languages" }]);
  await run("rules", "enforce", ...at, ...rule);
  expect(await modes()).toEqual([]);

  const { imprint } = await visit(site);
  expect((await readReport(site.apiKey, imprint)).status).toBe(200);
  const view = await run("view", "save", ...at, "--name", "Passed", "--query", "risk=PASS");
  const words = [
    "--view",
    String(view.answer["view_id"]),
    "--name",
    "Many",
    "--condition",
    "number",
    "--threshold",
    "5",
  ];
  const made = await run(
    "alert",
    "create",
    ...at,
    ...words,
    "--window",
    "2h",
    "--quiet-from",
    "22:00",
    "--quiet-to",
    "07:00",
  );
  expect(made.code).toBe(0);
  expect((await run("alert", "list", ...at)).answer).toMatchObject({
    alerts: [
      {
        name: "Many",
        view: "Passed",
        view_id: view.answer["view_id"],
        threshold: 5,
        window_minutes: 120,
        began_at: null,
      },
    ],
  });
  expect(await run("alert", "create", ...at, ...words, "--mail", "nobody@example.com")).toMatchObject({ code: 1 });
  await run("alert", "delete", ...at, "--alert", String(made.answer["alert_id"]));
  expect((await run("alert", "list", ...at)).answer).toEqual({ alerts: [] });
});
