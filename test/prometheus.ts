export type Alert = { name: string; expression: string; runbook: string };

/** The alerts in a rules file; each expression must be on one line. */
export const alertsOf = (rules: string): Alert[] =>
  [...rules.matchAll(/- alert: (\w+)\n\s+expr: >-\n\s+(.+)\n(?:.+\n)*?\s+runbook_url: "(.+)"/g)].map(
    ([, name = "", expression = "", runbook = ""]) => ({ name, expression, runbook }),
  );
