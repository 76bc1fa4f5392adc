import { spawnSync } from "node:child_process";

/** Path of a program of the Debian package `prometheus` that the test run has found or installed. */
export function prometheusProgram(name: "prometheus" | "promtool"): string {
  const named = process.env[name.toUpperCase()];
  const found = [named, name].find((file) => file !== undefined && spawnSync(file, ["--version"]).status === 0);
  if (found === undefined) throw new Error(`There is no ${name}: tests are started through \`npm test\``);
  return found;
}

export type Alert = { name: string; expression: string; runbook: string };

/** The alerts in a rules file; each expression must be on one line. */
export const alertsOf = (rules: string): Alert[] =>
  [...rules.matchAll(/- alert: (\w+)\n\s+expr: >-\n\s+(.+)\n(?:.+\n)*?\s+runbook_url: "(.+)"/g)].map(
    ([, name = "", expression = "", runbook = ""]) => ({ name, expression, runbook }),
  );
