import { spawnSync } from "node:child_process";

/** A program of the package `prometheus`; the test run has looked for it, and installed it where it could. */
export function prometheusProgram(name: "prometheus" | "promtool"): string {
  const named = process.env[name.toUpperCase()];
  const found = [named, name].find((file) => file !== undefined && spawnSync(file, ["--version"]).status === 0);
  if (found === undefined) throw new Error(`There is no ${name}: tests are started through \`npm test\``);
  return found;
}

export type Alert = { name: string; expression: string; runbook: string };

/** The alerts of a file of rules, each of whose expressions is one line. */
export const alertsOf = (rules: string): Alert[] =>
  [...rules.matchAll(/- alert: (\w+)\n\s+expr: >-\n\s+(.+)\n(?:.+\n)*?\s+runbook_url: "(.+)"/g)].map(
    ([, name = "", expression = "", runbook = ""]) => ({ name, expression, runbook }),
  );
