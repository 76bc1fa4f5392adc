import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import { CHECK_OPTION, JSON_OPTION, runCommand, SEED_OPTION } from "../common/command";
import { printOutcome } from "../common/report";
import { tablesOf, withTables } from "./document";
import { measureRows, missesOf } from "./rows";

const DOCUMENT = path.join(ROOT, "docs/scale.md");

await runCommand({
  name: "scale",
  about:
    "Calculates the processes, connections, database nodes and disk for a number of visits per second from the bench results, and checks the rules by simulating each size. See docs/scale.md.",
  options: {
    write: { type: "boolean", about: "write the tables to docs/scale.md" },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  run(values) {
    const { seed } = values;
    const rows = measureRows(seed);
    const tables = tablesOf(rows, seed);
    if (values.write) writeFileSync(DOCUMENT, withTables(readFileSync(DOCUMENT, "utf8"), tables));
    const lines = () => Object.values(tables).flatMap((table) => [...table, ""]);
    return printOutcome(values, { result: { seed, rows }, misses: missesOf(rows), lines });
  },
});
